/**
 * Which code depends on which, judged by its names alone: rather too much than too little.
 *
 * A statement is a line that is not indented, with all that follows it. It depends on a change if a
 * name that the change binds is among its words.
 */
const WORD = /[A-Za-z_]\w*/g;
const BINDS = [
  /^(?:async\s+)?(?:def|class)\s+(\w+)/,
  /^(?:import|from\s+\S+\s+import)\s+(.*)$/s,
  /^([^=#"'(]+?)(?:[-+*/@%&|^]|\/\/|\*\*|<<|>>)?=(?!=)/, // names, K[0], x.y; also with += and the like
  /^(?:async\s+)?for\s+(.+?)\s+in\b/,
  /^(?:async\s+)?with\b.*\bas\s+(\w+)/,
  /^([A-Za-z_]\w*)(?:\.\w+)+\(/, // x.sort() may change x
];

/**
 * Return whether some code may give a different result after changes above it.
 *
 * @param {[string, string][]} changes of the cells above: [the code that ran, the code that stands there]
 * @param {string} code
 */
export function isAffected(changes, code) {
  const names = new Set();
  for (const [before, after] of changes) spread(names, before, after);
  return names.size > 0 && statementsOf(code).some((statement) => uses(statement, names));
}

/** Add the names whose values a cell changes, because the cell was edited or uses a changed name. */
function spread(names, before, after) {
  if (before === after && !names.size) return; // nearly always: a page has many cells, and each is compared with all above it
  const olds = before === after ? [] : statementsOf(before);
  const news = statementsOf(after);
  const isChanged = (statement) => before !== after && !(olds.includes(statement) && news.includes(statement));
  for (const statement of [...olds, ...news]) {
    if (isChanged(statement) || uses(statement, names)) bound(statement).forEach((name) => names.add(name));
  }
}

function statementsOf(code) {
  const lines = code.split("\n").filter((line) => line.trim() && !line.trim().startsWith("#"));
  const statements = [];
  for (const line of lines) {
    if (/^[\s)\]}]/.test(line) && statements.length) statements.push(`${statements.pop()}\n${line}`);
    else statements.push(line);
  }
  return statements;
}

function uses(statement, names) {
  return wordsOf(statement).some((word) => names.has(word));
}

/** The names that a statement may bind; names bound inside a function are local to it. */
function bound(statement) {
  const [first, ...inner] = statement.split("\n");
  const isBlock = /^(for|async for|with|async with|if|while|try|match)\b.*:/.test(first);
  const found = [statement, ...(isBlock ? inner : [])].flatMap(boundByLine);
  return found.flatMap(wordsOf);
}

function boundByLine(line) {
  return BINDS.map((pattern) => line.trim().match(pattern)?.[1] ?? "");
}

function wordsOf(text) {
  return text.match(WORD) ?? [];
}
