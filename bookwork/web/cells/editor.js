/**
 * The editor of a cell: CodeMirror 6 with Python's colours, indentation and brackets.
 *
 * Bundled separately and loaded at the first Edit, so that pages stay light to read. Tokens get the
 * class names of Pygments, so the page's style sheet gives edited code the colours of printed code.
 */
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, isolateHistory } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { Annotation, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

const INDENT = 4;
const GIVEN = Annotation.define(); // marks a text that the page gives the editor
const TAB_LEAVES = 60_000; // milliseconds after Escape during which Tab moves the focus

const colours = tagHighlighter([
  { tag: tags.comment, class: "c1" },
  { tag: [tags.string, tags.special(tags.string)], class: "s2" },
  { tag: tags.number, class: "mi" },
  { tag: [tags.keyword, tags.modifier], class: "k" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: tags.operatorKeyword, class: "ow" },
  { tag: tags.operator, class: "o" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: tags.variableName, class: "n" },
]);

/** @type {import("@codemirror/state").StateEffectType<import("@codemirror/view").DecorationSet>} */
const setMark = StateEffect.define();

/** The line at which the last run failed; the next edit removes the mark. */
const markedLine = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const effect = transaction.effects.find((each) => each.is(setMark));
    if (effect) return effect.value;
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Move the text after the cursor to the next multiple of four columns, or indent what is selected. */
function indent(view) {
  const { main } = view.state.selection;
  if (!main.empty) return indentMore(view);
  const column = main.head - view.state.doc.lineAt(main.head).from;
  view.dispatch(view.state.replaceSelection(" ".repeat(INDENT - (column % INDENT))));
  return true;
}

function keysFor(onRun) {
  const run = () => {
    onRun();
    return true;
  };
  return [
    Prec.highest(
      keymap.of([
        { key: "Shift-Enter", run },
        { key: "Mod-Enter", run },
      ]),
    ),
    keymap.of([{ key: "Tab", run: indent, shift: indentLess }, ...defaultKeymap, ...historyKeymap]),
    EditorView.domEventObservers({ keyup: letTabLeave }),
  ];
}

/** Escape, then Tab, leaves the editor; CodeMirror itself allows two seconds, too few for some readers. */
function letTabLeave({ key }, view) {
  if (key === "Escape") view.setTabFocusMode(TAB_LEAVES);
}

function extensionsFor({ label, onRun, onChange }) {
  return [
    lineNumbers(),
    drawSelection(),
    new LanguageSupport(pythonLanguage),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label }),
    history(),
    indentOnInput(),
    bracketMatching(),
    indentUnit.of(" ".repeat(INDENT)),
    markedLine,
    keysFor(onRun),
    EditorView.updateListener.of(({ docChanged, transactions, state }) => {
      if (docChanged && !transactions.some((each) => each.annotation(GIVEN))) onChange(state.doc.toString());
    }),
  ];
}

/** Keep key events inside an element: the page has shortcuts of its own, such as / for search. */
function keepKeys(element) {
  for (const kind of ["keydown", "keypress", "keyup"]) {
    element.addEventListener(kind, (event) => event.stopPropagation());
  }
}

/**
 * Open an editor in an element. `onChange` hears of what the reader changes, not of a text that the page gives it: a tab that
 * follows another would else store an older text again.
 *
 * @param {HTMLElement} parent
 * @param {string} text
 * @param {{ label: string, onRun: () => void, onChange: (text: string) => void }} options
 * @returns {{ text: string, focus(): void, markLine(line: number | null): void }}
 */
export function openEditor(parent, text, options) {
  keepKeys(parent);
  const state = EditorState.create({ doc: text, extensions: extensionsFor(options) });
  const view = new EditorView({ parent, state });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(value) {
      const changes = { from: 0, to: view.state.doc.length, insert: value };
      view.dispatch({ changes, annotations: [isolateHistory.of("full"), GIVEN.of(true)] }); // one step to undo
    },
    focus: () => view.focus(),
    markLine: (line) => view.dispatch({ effects: setMark.of(markAt(view.state.doc, line)) }),
  };
}

/** @param {number | null} line counted from 1; a line that the text lacks marks nothing */
function markAt(doc, line) {
  if (!(line >= 1 && line <= doc.lines)) return Decoration.none;
  return Decoration.set(Decoration.line({ class: "book-wrong-line" }).range(doc.line(line).from));
}
