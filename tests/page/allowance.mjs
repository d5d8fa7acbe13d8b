/** What the page shows of the messages of one run: node allowance.mjs, with a JSON list on its input -> JSON, a list of what is left of each. */
import { readFileSync } from "node:fs";
import { Allowance } from "../../bookwork/page/outputs/limits.js";

const allowance = new Allowance();
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((message) => allowance.fit(message)?.bundle ?? null)));
