"""Answers to the exercises of the chapter "Where am I? Positions", to test their checkers with."""

from answers import Answers

ANSWERS = {}

ANSWERS["ex-no-positions"] = Answers(
    right=('answer = "C"\n',),
)
