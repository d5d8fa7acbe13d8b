/**
 * Fields for numbers and shapes: one for each line `name = ...` of an exercise's starter that its key knows.
 *
 * Where the reader's code computes one, its field cannot be changed: the code says what it is.
 */
import { readNumber, readShape } from "./arithmetic.js";
import { element } from "../site/element.js";
import { isShape } from "./key.js";

const LONGEST = 200; // characters
const DOTS = "...";

/** @returns {import("./answer.js").Form | null} the form of an exercise whose answer is numbers or shapes */
export function makeFields({ parts = [] } = {}, cell) {
  const fields = parts.map((part) => new Field(part, cell.starter));
  if (!fields.length || !fields.every((field) => field.hasPlaceIn(cell.starter))) return null;
  const node = element("div", { className: "exercise-fields" }, ...fields.map((field) => field.node));
  node.style.setProperty("--exercise-names", String(Math.max(...fields.map(({ name }) => name.length)))); // all fields begin at one edge
  cell.element.prepend(node);
  return {
    node,
    show: (code) => fields.forEach((field) => field.show(code)),
    read: () => (fields.some(({ input }) => input.disabled) ? null : fields.map((field) => field.answer)),
    write: (code, answers) => fields.reduce((now, field, i) => now && field.write(now, answers[i]), code),
    complain: () => fields.find(({ answer }) => !answer).complain(),
    focus: () => fields[0].input.focus(),
  };
}

/** A field for a number; what was wrong with it is forgotten when it changes. */
export function makeInput() {
  const input = element("input", { type: "text", maxLength: LONGEST, autocomplete: "off", autocapitalize: "off", spellcheck: false });
  input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
  return input;
}

/** One number or shape, with its name and what the starter says of it. */
class Field {
  constructor({ name, ...part }, starter) {
    this.name = name;
    this.parse = isShape(part) ? readShape : readNumber;
    this.line = new RegExp(`^(${name}[ \\t]*=[ \\t]*)([^#\\n]*?)([ \\t]*(?:#[ \\t]*(.*))?)$`, "m");
    this.input = makeInput();
    const note = element("span", { textContent: starter.match(this.line)?.[4] ?? "" });
    this.node = element("label", {}, element("code", { textContent: name }), " = ", this.input, " ", note);
  }

  /** What the text in the field means, or null. */
  get answer() {
    return this.#read(this.input.value);
  }

  hasPlaceIn(code) {
    const [, , given = ""] = code.match(this.line) ?? [];
    return given === DOTS || this.#read(given) !== null;
  }

  /** Show what is in the code, unless the field says the same in other words. */
  show(code) {
    const hasPlace = this.hasPlaceIn(code);
    const given = hasPlace ? code.match(this.line)[2] : DOTS;
    this.input.disabled = !hasPlace;
    this.input.placeholder = this.input.disabled ? "see the code below" : "";
    if (given !== (this.answer?.code ?? DOTS)) this.input.value = given === DOTS ? "" : given;
  }

  /** Put an answer into code; without one, dots. */
  write(code, answer) {
    return this.hasPlaceIn(code) ? code.replace(this.line, (_, before, __, after) => before + (answer?.code ?? DOTS) + after) : null;
  }

  /** Say why there is no answer. */
  complain() {
    this.input.setAttribute("aria-invalid", "true");
    this.input.focus();
    try {
      this.parse(this.input.value);
    } catch (error) {
      return this.input.value.trim() ? error.message : `Fill in ${this.name} first.`;
    }
  }

  #read(text) {
    try {
      return this.parse(text);
    } catch {
      return null;
    }
  }
}
