/** Python's memory before it starts, where its libraries lie in it, and what a snapshot changes: used where it is taken, and where it is loaded. */

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
export function trampolineOf({ HEAPU32, __PyRuntime, __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET }) {
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
export function memoryOf({ buffer, byteOffset }) {
  const [, begin] = new Uint32Array(buffer, byteOffset, 2);
  return new Uint32Array(buffer, byteOffset + begin);
}
