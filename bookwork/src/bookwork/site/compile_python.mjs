/**
 * Compile archives of Python for the page: node bookwork/site/compile_python.mjs PYODIDE < JOBS
 *
 * PYODIDE is npm's folder; its own interpreter compiles, because only that one can run the result.
 * JOBS is a JSON list of { file, prefix, optimize, keep }: where the archive is, which its compiled copy
 * replaces, where its files will be found in the page, how much to strip (2 drops docstrings), and
 * whether the sources stay beside what was compiled from them. Nothing is compressed here: outside of
 * WebAssembly that is quicker.
 */
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const COMPILE = `
import importlib._bootstrap_external as importer, importlib.util, io, posixpath, warnings, zipfile

warnings.simplefilter("ignore")  # of the code of others

def compiled(source, path, optimize):
    """Bytecode that is taken as it is, whatever the dates of the files say."""
    code = compile(source, path, "exec", dont_inherit=True, optimize=optimize)
    return importer._code_to_hash_pyc(code, importlib.util.source_hash(source), False)

def place(name, keep):
    folder, file = posixpath.split(name)
    return posixpath.join(folder, "__pycache__", file[:-3] + ".cpython-314.pyc") if keep else name + "c"

def convert(data, prefix, optimize, keep):
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as old, zipfile.ZipFile(made, "w") as new:
        def add(name, content):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            new.writestr(entry, content)
        for name in old.namelist():
            content = old.read(name)
            if not name.endswith(".py"):
                add(name, content)
                continue
            add(place(name, keep), compiled(content, prefix + name, optimize))
            if keep:
                add(name, content)
    return made.getvalue()

convert
`;

const [, , folder] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/` });
const convert = python.runPython(COMPILE);
for (const { file, prefix, optimize, keep } of JSON.parse(await text(process.stdin))) {
  const made = convert(python.toPy(new Uint8Array(await readFile(file))), prefix, optimize, keep);
  await writeFile(file, made.toJs());
  made.destroy();
}
