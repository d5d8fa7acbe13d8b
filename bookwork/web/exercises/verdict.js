/** Verdicts of the book's checkers, as bookwork.exercises gives them: { label, status, message }. */

/** The MIME type of a checker's verdict; runtime.py lets no other value have it. */
export const VERDICT = "application/vnd.book.verdict+json";

/** The form of an exercise's label, as bookwork/sphinx/exercises.py has it. */
export const LABEL = /^[^\s"'\\]{1,100}$/;

/** How far an answer has come, by the status of its verdict. */
export const STATUSES = {
  "not started": "idle",
  "wrong shape": "wrong",
  "known mistake": "wrong",
  "not yet": "wrong",
  correct: "right",
};

/** The verdict in an output, or null if there is none. */
export function verdictIn({ kind, bundle }) {
  const verdict = kind === "display" ? bundle?.[VERDICT] : null;
  const { label, status, message } = Object(verdict);
  return [label, status, message].every((each) => typeof each === "string") && LABEL.test(label) ? verdict : null;
}
