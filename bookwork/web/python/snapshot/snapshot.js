/**
 * Starts Python from its memory as it is once NumPy, widgets and the book's runtime are imported: in a fraction of the time.
 *
 * What NumPy has in C is not in the snapshot: these libraries are loaded before Python starts, in the same order both times,
 * so that they come to lie in the same places. Of the memory only the difference from what it holds at that moment is stored.
 */
import { free, meter } from "../files.js";
import { SOURCES } from "../sources.js";
import { createWith, exchange, layoutOf, memoryOf, trampolineOf } from "./memory.js";
import RENEW from "./renew.py";

/**
 * Start Python; fails if there is no snapshot that fits. worker.js then starts it in the ordinary way.
 *
 * @param {any} index what the worker knows of its folder
 * @param {import("../files.js").Files} files
 * @param {(options: object) => Promise<any>} load starts Pyodide
 */
export async function startFromSnapshot(index, files, load) {
  const { file, size, places } = index.snapshot;
  meter.begin("Loading Python", index.core + index.sizes[file]);
  const arriving = unzipped(files.request(files.base + file));
  const options = optionsFor(arriving, size, import(`${files.base}${index.home}pyodide.asm.mjs`));
  const python = await load({ ...options, stdLibURL: URL.createObjectURL(new Blob()) }); // or Pyodide would fetch all of it
  [options._loadSnapshot, new Uint8Array(await arriving)].forEach(free); // Python has a copy
  if (python.pyimport("runtime").SOURCES !== Object.values(SOURCES).join("")) throw new Error("it was made for another page");
  for (const [name, path] of Object.entries(places)) {
    files.offer(python, { path, title: path.split("/").at(-1), address: files.base + name, size: index.sizes[name] }); // what else is in it
  }
  for (const [name, archive] of Object.entries(index.files)) if (archive in places) python.loadedPackages[name] = "default channel"; // as Pyodide says
  renew(python);
  return python;
}

async function unzipped(request) {
  const { body } = await request;
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function renew(python) {
  const { HEAPU32, _tzname, _timezone, _daylight, __tzset_js: setZone } = python._module;
  setZone(_timezone, _daylight, HEAPU32[_tzname >>> 2], HEAPU32[(_tzname >>> 2) + 1]);
  python.runPython(RENEW, { globals: python.toPy({}) });
}

/**
 * Pyodide's options for a start from a snapshot; the start fails if it does not fit. Python is compiled while it arrives.
 *
 * @param {Promise<ArrayBuffer>} file its first line is JSON: { layout, handles, sizes, names }; then come snapshot and libraries
 * @param {number} size of the snapshot, in bytes
 * @param {Promise<{ default: (settings: any) => Promise<any> }>} script Pyodide's, which creates its Emscripten module
 */
function optionsFor(file, size, script) {
  const image = new Uint8Array(size);
  const arrived = file.then(read);
  arrived.catch(() => {}); // the start fails with it, once Python is compiled
  const createPyodideModule = async (settings) => {
    const { default: create } = await script;
    const Module = await createWith(create, settings, arrived, (fresh, { facts, memory }) => {
      if (layoutOf(fresh) !== facts.layout) throw new Error("this browser lays out Python's memory in another way");
      image.set(memory);
      exchange(image, fresh.HEAPU32);
      memoryOf(image)[trampolineOf(fresh)] = fresh.HEAPU32[trampolineOf(fresh)];
    });
    const { facts } = await arrived;
    Module.growMemory(size);
    const { loadedLibsByHandle, loadedLibsByName } = Module.LDSO;
    for (const [handle, name] of Object.entries(facts.handles)) loadedLibsByHandle[handle] = loadedLibsByName[name];
    return Module;
  };
  return { _loadSnapshot: image, createPyodideModule };
}

async function read(file) {
  const bytes = new Uint8Array(file);
  let end = bytes.indexOf(10) + 1;
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const [memory, ...parts] = facts.sizes.map((size) => bytes.subarray(end, (end += size)));
  const libraries = await Promise.all(parts.map(async (part, i) => ({ name: facts.names[i], module: await WebAssembly.compile(part) })));
  return { facts, memory, libraries };
}
