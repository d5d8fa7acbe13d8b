"""Exercises of the chapter "How attention learns"."""

from attention_lib.exercises._table import Exercise

EXERCISES: tuple[Exercise, ...] = ()
