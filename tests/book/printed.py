"""The exercises as the chapters print them."""

from book.chapters import FOLDER

from attention_exercises import EXERCISES
from bookwork.book.book import Book
from bookwork.book.exercise_text import exercises_on

# test_faults.py fails where an exercise is not whole or has no checker
ALL = [each for page in Book(FOLDER.parent).pages for each in exercises_on(page)]
PRINTED = [each for each in ALL if each.label in EXERCISES]
BY_LABEL = {each.label: each for each in PRINTED}
