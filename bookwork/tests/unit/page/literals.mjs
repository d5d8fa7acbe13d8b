/** Read and write strings in code as the page does: node literals.mjs '[["code", "name", "text"], …]' -> JSON, one answer each. */
import { textsIn, withText } from "../../../web/cells/literals.js";

const answers = JSON.parse(process.argv[2]).map(([code, name, text]) => {
  const changed = withText(code, name, text);
  return { before: Object.fromEntries(textsIn(code)), code: changed, after: Object.fromEntries(textsIn(changed)) };
});
console.log(JSON.stringify(answers));
