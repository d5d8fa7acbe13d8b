"""The commands of an author: thin, over `bookwork.book` and `bookwork.build`."""
