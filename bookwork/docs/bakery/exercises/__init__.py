"""The exercises of these pages: `check` an answer, get a verdict in words."""

from bookwork.exercises import Exercises

EXERCISES = Exercises(__name__, __path__)
check = EXERCISES.check
