"""Exercises of the chapter "Self-attention"."""

from attention_lib.exercises._table import Exercise

EXERCISES: tuple[Exercise, ...] = ()
