/** Look queries up as the search does: node look_up.mjs WEB INDEX QUERIES -> JSON, the results of each. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , web, file, queries] = process.argv;
const { prepare } = await import(pathToFileURL(`${web}/search/index.js`));
const window = {};
new Function("window", readFileSync(file, "utf8"))(window);
const find = prepare(window.bookSearchIndex);
const shown = ({ kind, title, anchor, chapter, words }) => ({ kind, title, words, href: `${chapter.href}#${anchor}` });
console.log(JSON.stringify(JSON.parse(readFileSync(queries, "utf8")).map((query) => find(query)?.map(shown) ?? null)));
