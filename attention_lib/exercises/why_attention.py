"""Exercises of the chapter "Why attention?"."""

from attention_lib.exercises._table import Exercise

EXERCISES: tuple[Exercise, ...] = ()
