/** Run a Python file with a folder of build_python.py: node node_python.mjs FOLDER FILE PACKAGES… */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [, , folder, file, ...packages] = process.argv;
const { home, lazy } = JSON.parse(readFileSync(`${folder}/index.json`));
const { loadPyodide } = await import(pathToFileURL(`${folder}/${home}pyodide.mjs`));
const options = { lockFileURL: `${folder}/pyodide-lock.json`, packageBaseUrl: `${folder}/`, packages };
const python = await loadPyodide({ indexURL: `${folder}/${home}`, ...options });
for (const [name, path] of Object.entries(lazy)) {
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/"))); // a page fetches these when they are read
  python.FS.writeFile(path, readFileSync(`${folder}/data/${name}`));
}
try {
  console.log(python.runPython(await readFile(file, "utf8")));
} catch (error) {
  console.log(error.message); // not error itself: Node would print all of Pyodide with it
  process.exitCode = 1;
}
