/** What a page counts in each of some texts: node weigh.mjs, with a JSON list on its input -> JSON, a list of findings. */
import { readFileSync } from "node:fs";
import { excess, mostPlaces, weigh } from "../../bookwork/page/outputs/limits.js";

const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => ({ ...weigh(text), says: excess("text/html", text), places: mostPlaces({ "text/html": text }) }))));
