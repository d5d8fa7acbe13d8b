"""Commands of this book's own: notebooks, pictures, the PDF, data, measurements."""
