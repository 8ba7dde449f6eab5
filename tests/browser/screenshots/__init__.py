"""Pictures of the judge's pages for the documentation: `make screenshots` takes them anew."""
