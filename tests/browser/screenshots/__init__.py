"""Pictures of the pages for the documentation: `make screenshots` takes them anew."""
