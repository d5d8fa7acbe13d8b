/**
 * Python's memory as it is once NumPy, widgets and the book's runtime are imported: from it a page starts in a fraction of the time.
 *
 * It is taken when the book is built (build/make_snapshot.mjs). What NumPy has in C is not in it: these libraries are
 * loaded before Python starts, in the same order both times, so that they come to lie in the same places. Of the memory
 * only the difference from what it holds at that moment is stored.
 */

const RENEW = `
import numpy, random, time
random.seed()
numpy.random.seed()
noons = [time.mktime((time.localtime().tm_year, month, 1, 12, 0, 0, 0, 0, -1)) for month in (1, 7)]
standard, summer = sorted(map(time.localtime, noons), key=lambda noon: noon.tm_gmtoff)
time.timezone, time.altzone = -standard.tm_gmtoff, -summer.tm_gmtoff
time.daylight = int(time.timezone != time.altzone)
time.tzname = standard.tm_zone, summer.tm_zone
del noons, standard, summer
`;

/** Renew what a snapshot has frozen: random numbers, and the time zone of the computer that took it. */
export function renew(python) {
  const { HEAPU32, _tzname, _timezone, _daylight, __tzset_js: setZone } = python._module;
  setZone(_timezone, _daylight, HEAPU32[_tzname >>> 2], HEAPU32[(_tzname >>> 2) + 1]);
  python.runPython(RENEW);
}

/**
 * Create Python's Emscripten module with libraries.
 *
 * @param {(settings: any) => Promise<any>} create Pyodide's own function
 * @param {any} settings Emscripten's
 * @param {Promise<{ libraries: { name: string, module: WebAssembly.Module }[], facts?: any, memory?: Uint8Array }>} parts
 * @param {(Module: any, parts: any) => void} then called when they are loaded, and nothing has run yet
 */
export async function createWith(create, settings, parts, then) {
  let failure = null;
  const load = async (Module) => {
    Module.addRunDependency("libraries");
    try {
      const found = await parts;
      if (!Module.HEAPU32[trampolineOf(Module)]) Module.wasmTable.grow(1); // where iOS has no function, and others have one
      for (const { name, module } of found.libraries) Module.newDSO(name).exports = Module.loadWebAssemblyModule(module, {}, name);
      then(Module, found);
    } catch (error) {
      failure = error;
    }
    Module.removeRunDependency("libraries");
  };
  const Module = await create(Object.assign(settings, { preRun: [...settings.preRun, load], thisProgram: "python" }));
  if (failure) throw failure;
  return Module;
}

/** The place in memory where Python looks up how to call functions in C; empty on iOS (Pyodide: getPyEMTrampolinePtr). */
function trampolineOf({ HEAPU32, __PyRuntime, __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET }) {
  return (__PyRuntime + HEAPU32[__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2]) >>> 2;
}

/** What must be the same when a snapshot is taken and when it is loaded: where memory and functions lie. */
export function layoutOf(Module) {
  const { HEAPU32: words, wasmTable } = Module;
  const trampoline = trampolineOf(Module);
  let sum = 0;
  for (let i = 0; i < words.length; i++) if (i !== trampoline) sum = Math.imul(sum ^ words[i], 0x9e3779b1);
  return `${words.length} ${wasmTable.length} ${sum}`;
}

/** Take out of a snapshot what memory holds before Python starts, or put it back: exclusive or does both. */
export function exchange(image, before) {
  const words = memoryOf(image);
  for (let i = 0; i < before.length; i++) words[i] ^= before[i];
}

/** The memory in a snapshot: Pyodide's own header (see its snapshot.ts) says where it begins. */
function memoryOf({ buffer, byteOffset }) {
  const [, begin] = new Uint32Array(buffer, byteOffset, 2);
  return new Uint32Array(buffer, byteOffset + begin);
}

/**
 * Pyodide's options for a start from a snapshot; the start fails if it does not fit. Python is compiled while it arrives.
 *
 * @param {Promise<ArrayBuffer>} file its first line is JSON: { layout, handles, sizes, names }; then come snapshot and libraries
 * @param {number} size of the snapshot, in bytes
 * @param {Promise<{ default: (settings: any) => Promise<any> }>} script Pyodide's, which creates its Emscripten module
 */
export function snapshotOptions(file, size, script) {
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
