import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfBuild } from '../../server/build/find-program.mjs';

/** What runs, from the top of the repository. Tests, and what they run on, stay outside. */
export const SOURCES = [
  'LICENSE',
  'package.json',
  'package-lock.json',
  'console/dist',
  'console/package.json',
  'docs',
  ...['contract', 'sdk', 'mcp', 'server'].flatMap((name) => [`${name}/package.json`, `${name}/src`]),
  'server/build',
  'cli/package.json',
  'cli/bin',
  'cli/src',
];
const isLeftOut = (path) => path === 'docs/images' || path.endsWith('/testing') || path.endsWith('.test.ts');

/** Only programs that read types, or draw pages, need these; the image has a Node of its own. */
const UNUSED = /^node_modules\/(?:@types\/|node-linux-|react$|react-dom$|scheduler$|uplot$|@lilac\/console$)/;

/** The same on every machine, whatever its language. */
const inOrder = (left, right) => (left < right ? -1 : 1);

/** The platform's own files, as paths from the top of the repository. */
export function listSources(root) {
  const built = `server/dist/${nameOfBuild()}`;
  return [...SOURCES, built].flatMap((path) => filesBelow(root, path)).sort(inOrder);
}

/** The folders of packages that run in production, as the lock file tells, and the links to the workspaces. */
export function listPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, about]) => path.includes('node_modules/') && !about.dev && !UNUSED.test(path))
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)))
    .sort(inOrder);
}

/** Of everything that the image is made of here; packages are known by the lock file. */
export function hashFiles(root, { sources, packages }) {
  const hash = createHash('sha256').update(packages.join('\n'));
  for (const path of sources) hash.update(`\0${path}\0`).update(contentOf(join(root, path)));
  return hash.digest('hex').slice(0, 12);
}

function filesBelow(root, path) {
  const status = lstatSync(join(root, path));
  if (!status.isDirectory()) return [path];
  const entries = readdirSync(join(root, path)).map((name) => `${path}/${name}`);
  return entries.filter((entry) => !isLeftOut(entry)).flatMap((entry) => filesBelow(root, entry));
}

const contentOf = (file) => (lstatSync(file).isSymbolicLink() ? readlinkSync(file) : readFileSync(file));
