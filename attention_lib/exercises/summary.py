"""Exercises of the chapter "Summary"."""

from attention_lib.exercises._table import Exercise

EXERCISES: tuple[Exercise, ...] = ()
