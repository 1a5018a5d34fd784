import { posix } from 'node:path';
import type { ProjectFiles } from '../project-files.ts';
import { matchLine } from '../parse/lines.ts';
import { PYTHON_ENTRIES } from './python-frameworks.ts';

/** Where the object lies that a server of Python is handed. */
export interface PythonApp {
  path: string;
  /** As Python imports it, from the folder `from`. */
  module: string;
  from: string | null;
  /** The variable that holds it, or the function that makes it. */
  name: string;
  isFactory: boolean;
}

const NESTED_ENTRIES = ['app/main.py', 'src/main.py', 'src/app.py', 'api/main.py', 'api/index.py', 'backend/main.py'];
const NAMES_IN_PACKAGE = ['main.py', 'app.py', 'server.py', 'api.py', 'asgi.py', 'wsgi.py', '__init__.py'];
const NO_PACKAGES = /^(\.|_|tests?$|docs?$|data$|static$|templates$|scripts$|node_modules$|migrations$|notebooks$)/;
/** Each is a round trip with a git tree. */
const MAX_PACKAGES = 6;
const MAX_READS = 12;

const MADE =
  /^(\w+)(?:\s*,\s*\w+)*\s*(?::[^=]+)?=\s*(?:\w+\.)?(?:FastAPI|Flask|Starlette|Quart|FastHTML|fast_app|Litestar|Bottle|Sanic|create_app|make_app)\(/;
const NAMED = /^(app|application)\s*(?:,\s*\w+\s*)*(?::[^=]+)?=(?!=)/;
const FACTORY = /^(?:async\s+)?def\s+(create_app|make_app|get_app|create_application)\s*\(/gm;

export async function findPythonEntry(files: ProjectFiles): Promise<string | null> {
  return (await files.findFirst([...PYTHON_ENTRIES, ...NESTED_ENTRIES])) ?? null;
}

/** In the file that starts the program, or in the first likely one that makes such an object. */
export async function findPythonApp(files: ProjectFiles): Promise<PythonApp | null> {
  const usual = [...PYTHON_ENTRIES, ...NESTED_ENTRIES];
  return (await findIn(files, usual)) ?? findIn(files, await pathsInPackages(files));
}

/** The first file of these that holds a word, such as `import streamlit`. */
export async function findPythonFileWith(files: ProjectFiles, pattern: RegExp): Promise<string | null> {
  const own = [...files.fileNames].filter((name) => name.endsWith('.py'));
  const usual = own.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_READS);
  for (const path of [...usual, ...NESTED_ENTRIES]) if (pattern.test((await files.read(path)) ?? '')) return path;
  return null;
}

/** One object in a file counts more than a function of another that would make one. */
async function findIn(files: ProjectFiles, paths: readonly string[]): Promise<PythonApp | null> {
  let factory: PythonApp | null = null;
  let reads = 0;
  for (const path of paths) {
    if (reads === MAX_READS) break;
    const text = await files.read(path);
    if (text === null) continue;
    reads++;
    const name = matchLine(text, MADE)?.[1] ?? matchLine(text, NAMED)?.[1];
    if (name) return { ...placeOf(path), name, isFactory: false };
    const maker = findFactory(text);
    if (maker) factory ??= { ...placeOf(path), name: maker, isFactory: true };
  }
  return factory;
}

/** One that can be called without anything: it has no arguments, or one that has a value of its own. */
function findFactory(text: string): string | null {
  let from = 0;
  for (const match of text.matchAll(FACTORY)) {
    if (match.index < from) continue;
    const start = match.index + match[0].length;
    const end = text.indexOf(')', start);
    from = end === -1 ? text.length : end;
    const given = text.slice(start, from).trim();
    if ((given === '' && end !== -1) || given.startsWith('*') || given.includes('=')) return match[1]!;
  }
  return null;
}

async function pathsInPackages(files: ProjectFiles): Promise<string[]> {
  const ofRoot = [...files.folderNames].filter((name) => name !== 'src').map((name) => ({ folder: '', name }));
  const ofSource = (await files.list('src')).filter((entry) => entry.kind === 'folder');
  const packages = [...ofSource.map(({ name }) => ({ folder: 'src', name })), ...ofRoot].filter(
    ({ name }) => !NO_PACKAGES.test(name) && !name.endsWith('.egg-info'),
  );
  return packages
    .slice(0, MAX_PACKAGES)
    .flatMap(({ folder, name }) => NAMES_IN_PACKAGE.map((file) => posix.join(folder, name, file)));
}

/** A package below `src/` is imported from there; a file right in it as Python itself would from the root. */
function placeOf(path: string): Pick<PythonApp, 'path' | 'module' | 'from'> {
  const isPackage = /^src\/[^/]+\//.test(path);
  const inside = isPackage ? path.slice('src/'.length) : path;
  const module = inside.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.');
  return { path, module, from: isPackage ? 'src' : null };
}

function rank(name: string): number {
  const index = ['streamlit_app.py', 'Home.py', 'home.py', ...PYTHON_ENTRIES].indexOf(name);
  return index === -1 ? PYTHON_ENTRIES.length + 3 : index;
}
