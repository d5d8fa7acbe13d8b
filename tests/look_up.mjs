/** Look queries up as the search page does: node look_up.mjs INDEX '["query", …]' -> JSON, one answer each. */
import { readFileSync } from "node:fs";

import { find, passage, prepare } from "../bookwork/page/search/ranking.js";

const [, , file, queries] = process.argv;
const window = {};
new Function("window", readFileSync(file, "utf8"))(window);
const index = prepare(window.bookSearchIndex);

const answers = JSON.parse(queries).map((query) => {
  const { keywords, results, complete, instead } = find(query, index);
  const shown = results.slice(0, 5).map(({ chapter, entry }) => ({
    kind: entry.kind,
    title: entry.title,
    href: `${chapter.href}#${entry.anchor}`,
    passage: passage(entry.text, keywords),
  }));
  return { keywords, count: results.length, complete, shown, instead };
});
console.log(JSON.stringify(answers));
