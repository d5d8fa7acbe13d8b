/** Read and judge answers as the page does: node judge.mjs < '{"texts": [["number", "1/3"], …], "answers": [[key, [12]], …]}' -> JSON, one result each. */
import { readFileSync } from "node:fs";

import { NoAnswer, readNumber, readShape } from "../../../web/exercises/numbers.js";
import { judge } from "../../../web/exercises/key.js";

function read([kind, text]) {
  try {
    return { value: (kind === "shape" ? readShape : readNumber)(text) };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { sentence: error.message };
  }
}

const { texts = [], answers = [] } = JSON.parse(readFileSync(0, "utf8"));
const findings = answers.map(([key, values]) => judge(key, values));
console.log(JSON.stringify({ texts: texts.map(read), answers: findings }));
