/** What to tell a reader whose answer never reached its checker. */

/**
 * @param {{ exercise: string | null, starter: string }} cell
 * @param {string} code what ran
 * @param {{ ok: boolean, error: { type: string, message: string } | null, verdict?: object | null }} result
 * @returns {string | null} a sentence, or null where there is nothing to say
 */
export function adviceOn({ exercise, starter }, code, { ok, error, verdict }) {
  if (!exercise || verdict) return null;
  if (ok) return missingCheck(exercise, starter, code);
  return error?.type === "NameError" ? missingQuotes(starter, error.message ?? "") : null;
}

function missingCheck(exercise, starter, code) {
  const isThere = new RegExp(`^[^#\\n]*\\bcheck\\(\\s*["']${exercise}["']`, "m").test(code);
  const [line] = starter.match(/^check\([^]*/m) ?? [];
  return isThere || !line ? null : `Your code ran, but nothing was checked: it lacks the line ${line.trim()}`;
}

/** `answer = a`, where the starter asks for "a", "b" or "c". */
function missingQuotes(starter, message) {
  const [, letter] = message.match(/name '([A-Za-z])' is not defined/) ?? [];
  if (!letter || !starter.includes(`"${letter.toLowerCase()}"`)) return null;
  return `A letter is text, so it needs quotes: write "${letter.toLowerCase()}", not ${letter}. Or press your choice above.`;
}
