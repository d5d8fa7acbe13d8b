// What esbuild resolves and what scripts leave on the window, for `tsc` alone.

declare module "*.css";

declare module "*.py" {
  const source: string;
  export default source;
}

declare module "book:addresses" {
  export const editor: string;
  export const katex: string;
  export const words: string;
  export const worker: string;
}

interface Window {
  bookCells: import("./cells/notebook.js").Notebook;
  bookEditor: typeof import("./cells/editor.js");
  bookSearch: typeof import("./search/index.js");
  bookSearchIndex: any;
  bookWidgets: any; // see figures.js
  bookFrames?: Record<string, string>; // see far-frames.js
  bookKatex?: typeof import("./outputs/katex.js");
}
