/**
 * Take a snapshot of Python's memory for the page: node make_snapshot.mjs PYODIDE WORK SITE TARGET
 *
 * PYODIDE is npm's folder. WORK has the page's python_stdlib.zip, a folder `wheels` and, in a folder `site`, the files in that
 * of NumPy; SITE is where the page would have these. TARGET is the file that the snapshot goes to, with what is needed to load it: see
 * snapshot.js. Called by make_snapshot.py.
 */
import { readFile, writeFile } from "node:fs/promises";
import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

import { createWith, exchange, layoutOf } from "./memory.js";

const RUNTIME = fileURLToPath(new URL("..", import.meta.url));
const IMPORT = await readFile(new URL("image.py", import.meta.url), "utf8");

/** Fill memory that is free with zeros, which take no room in a file: first what C has, then what Python has. */
function wipe({ _calloc, _free, _PyObject_Calloc, _PyObject_Free, _sbrk }) {
  const end = _sbrk(0);
  const fill = (allocate, largest, step) => {
    const held = [];
    for (let size = largest; size > 0; size -= step(size))
      do held.push(allocate(1, size));
      while (held.at(-1) < end);
    return held;
  };
  const ofC = fill(_calloc, 65536, (size) => Math.max(size >> 3, 8));
  fill(_PyObject_Calloc, 512, () => 16).forEach(_PyObject_Free);
  ofC.forEach(_free);
}

process.on("uncaughtException", ({ message }) => {
  console.error(message.trim().split("\n").at(-1)); // not all of it: Node would print Pyodide with it
  process.exit(1);
});

const [, , core, work, site, target] = process.argv;
const { loadPyodide } = await import(pathToFileURL(join(core, "pyodide.mjs")));
const { default: create } = await import(pathToFileURL(join(core, "pyodide.asm.mjs")));

const paths = globSync("**/*.so", { cwd: join(work, "site") }).sort();
const parts = await Promise.all(paths.map((path) => readFile(join(work, "site", path))));
const names = paths.map((path) => site + path);
const libraries = await Promise.all(parts.map(async (part, i) => ({ name: names[i], module: await WebAssembly.compile(part) })));

let Module, before, layout;
const note = (fresh) => ([Module, before, layout] = [fresh, fresh.HEAPU32.slice(), layoutOf(fresh)]);
const python = await loadPyodide({
  indexURL: `${core}/`,
  stdLibURL: join(work, "python_stdlib.zip"),
  createPyodideModule: (settings) => createWith(create, settings, Promise.resolve({ libraries }), note),
  _makeSnapshot: true,
  env: { PYTHONHASHSEED: "0" }, // sets have the same order for every reader
});
python.mountNodeFS(site, join(work, "site"));
python.mountNodeFS("/lib/book", RUNTIME);
for (const name of readdirSync(join(work, "wheels"))) python.FS.writeFile(`/lib/${name}`, await readFile(join(work, "wheels", name)));
python.runPython(IMPORT);
const handles = Object.fromEntries(
  Object.entries(Module.LDSO.loadedLibsByHandle).flatMap(([handle, { name }]) => (names.includes(name) ? [[handle, name]] : [])),
);
wipe(Module);
const image = python.makeMemorySnapshot();
exchange(image, before);
const facts = { layout, handles, sizes: [image, ...parts].map(({ length }) => length), names };
await writeFile(target, gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), image, ...parts]), { level: 9 }));
