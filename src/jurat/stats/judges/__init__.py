"""Which judges stand out, in what way, and what leaving them out would do."""
