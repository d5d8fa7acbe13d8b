"""The steps that make a site of a book."""
