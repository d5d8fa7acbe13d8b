"""The exercises of the book: `check` an answer, get a verdict in words."""

from bookwork.exercises import Exercises

EXERCISES = Exercises(__name__, __path__)
check = EXERCISES.check
