"""All answers that the checkers are tested with: `right_answers` and `wrong_answers` of a label.

An exercise needs no file in answers/: its chapter has a right answer, the solution, and its checker
has wrong ones, the functions of its mistakes and the numbers that it explains. What is written in
answers/ comes on top.
"""

import ast
import importlib
import pkgutil

import answers
from answers import Answers, WrongAnswer
from chapters.printed import PRINTED

from attention_exercises import EXERCISES

PRELUDE = """\
import numpy as np
from attention_lib import softmax
from attention_exercises import check

"""
NEEDS_ITS_CHAPTER = {"ex-real-head"}  # its solution ends by using data that other cells load
NOT_AS_ANSWERS = {"ex-online"}  # its mistakes read a list again, and the answer gets a stream


def read_all():
    """Return what the modules in answers/ hold, by label."""
    names = [module.name for module in pkgutil.iter_modules(answers.__path__)]
    tables = [importlib.import_module(f"answers.{name}").ANSWERS for name in names]
    return {label: given for table in tables for label, given in table.items()}


WRITTEN = read_all()


def solution_of(printed):
    """Return a solution as an answer: without the call to `check` at its end."""
    last = ast.parse(printed.code).body[-1]
    return "\n".join(printed.code.splitlines()[: last.lineno - 1]).rstrip() + "\n"


SOLUTIONS = {
    printed.label: solution_of(printed)
    for printed in PRINTED
    if printed.label not in NEEDS_ITS_CHAPTER
}


def cell_of(label, answer):
    """Return a whole cell that hands an answer over: imports, the answer, the call of `check`."""
    return f"{PRELUDE}{answer.rstrip()}\n{EXERCISES[label].call}"


def right_answers(label):
    """Return the solution of the chapter, if it can be run alone, and other right answers."""
    solution = [SOLUTIONS[label]] if label in SOLUTIONS else []
    return [*solution, *written(label).right]


def wrong_answers(label):
    """Return the wrong answers that are written, and those that the checker itself declares."""
    return [*written(label).wrong, *from_mistakes(label), *from_numbers(label)]


def written(label):
    return WRITTEN.get(label, Answers((), ()))


def from_mistakes(label):
    """Yield the functions of a checker's mistakes, as source text that fetches them."""
    checker = function_checker(EXERCISES[label])
    for number, (way, says) in enumerate(checker.ways if checker else ()):
        if callable(way) and label not in NOT_AS_ANSWERS:
            yield WrongAnswer(FETCH.format(label=label, name=checker.name, i=number), says)


def from_numbers(label):
    """Yield an answer for each wrong number, shape or letter that a checker explains."""
    checker = EXERCISES[label].checker
    for letter in getattr(checker, "explanations", ()):
        if letter != checker.right:
            yield WrongAnswer(f"answer = {letter!r}\n", checker.explanations[letter])
    judged = getattr(checker, "values", ())
    for value in judged:
        for other, says in value.known.items():
            given = {each.name: each.right for each in judged} | {value.name: other}
            lines = [f"{name} = {answer!r}\n" for name, answer in given.items()]
            yield WrongAnswer("".join(lines), says)


FETCH = """\
from attention_exercises import EXERCISES
{name}, _ = EXERCISES["{label}"].checker.ways[{i}]
"""


def function_checker(exercise):
    """Return the checker of the function an exercise asks for, or None."""
    return exercise.checker if hasattr(exercise.checker, "parameters") else None
