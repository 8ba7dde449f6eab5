"""The store's schema, step by step: brings a store to this Jurat's version, and back."""
