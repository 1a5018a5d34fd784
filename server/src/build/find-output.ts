import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BuildFailed } from './builder.ts';
import { realPathInside } from './inside.ts';
import type { Plan } from './plan.ts';

export interface OutputOptions {
  /** The project's files. */
  source: string;
  plan: Pick<Plan, 'rootDirectory' | 'outputDirectory' | 'framework'>;
  /** Somebody named it: then nothing else will do. */
  isChosen: boolean;
  onLine: (line: string) => void;
}

/** Where builds of their kind put the site, should it not be where it is expected. */
const COMMON = [
  'dist',
  'build',
  'out',
  '_site',
  '.output/public',
  'dist/client',
  'build/client',
  'www',
  'dist/browser',
  'public',
];
/** In other projects `public` is a folder of sources. */
const PUBLIC_IS_OUTPUT = new Set(['gatsby', 'hugo', 'hexo', 'zola', 'gridsome', 'astro', 'eleventy']);

/** The folder of the built site, as it really is. Rejects with `BuildFailed` when there is none. */
export async function findOutput({ source, plan, isChosen, onLine }: OutputOptions): Promise<string> {
  const root = plan.rootDirectory;
  const wanted = plan.outputDirectory ?? '';
  const expected = await findSite(source, join(root, wanted));
  if (expected !== null) return preferBrowser({ source, root, wanted, isChosen, onLine }, expected);
  const moved = isChosen ? null : await findMoved(source, plan);
  if (moved === null) throw await nothingThere(source, root, wanted);
  onLine(`The output is in ${moved.name}, not in ${wanted || 'the root'} as expected; it is taken from there.`);
  return moved.folder;
}

interface Expected extends Omit<OutputOptions, 'plan'> {
  root: string;
  wanted: string;
}

/** Builders that make a server too put the site one folder deeper. */
async function preferBrowser({ source, root, wanted, isChosen, onLine }: Expected, folder: string): Promise<string> {
  if (isChosen || hasIndex(source, join(root, wanted))) return folder;
  for (const name of ['browser', 'client', 'public']) {
    const deeper = await findIndexed(source, join(root, wanted, name));
    if (deeper === null) continue;
    onLine(`The site is in ${join(wanted, name)}; it is taken from there.`);
    return deeper;
  }
  return folder;
}

async function findMoved(
  source: string,
  plan: OutputOptions['plan'],
): Promise<{ name: string; folder: string } | null> {
  const isUsual = (name: string) => name !== 'public' || PUBLIC_IS_OUTPUT.has(plan.framework ?? '');
  for (const name of COMMON.filter(isUsual)) {
    const folder = await findIndexed(source, join(plan.rootDirectory, name));
    if (folder !== null) return { name, folder };
  }
  return null;
}

async function findIndexed(source: string, path: string): Promise<string | null> {
  return hasIndex(source, path) ? findSite(source, path) : null;
}

const hasIndex = (source: string, path: string): boolean => realPathInside(source, join(path, 'index.html')) !== null;

/** A folder with something in it, reached without leaving the project. */
async function findSite(source: string, path: string): Promise<string | null> {
  const real = realPathInside(source, path);
  const names = real === null ? [] : await readdir(real).catch(() => []);
  return names.length > 0 ? real : null;
}

async function nothingThere(source: string, root: string, wanted: string): Promise<BuildFailed> {
  const realRoot = realPathInside(source, root);
  const entries = realRoot === null ? [] : await readdir(realRoot, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !/^(node_modules|\.git)$/.test(entry.name));
  const output = realPathInside(source, join(root, wanted));
  const isEmpty = output !== null && (await readdir(output).catch(() => null))?.length === 0;
  const found =
    folders.length > 0
      ? `The folders there are: ${folders.map(({ name }) => name).join(', ')}.`
      : 'There is no folder at all.';
  return new BuildFailed(
    `The output directory ${wanted || '.'} ${isEmpty ? 'is empty' : 'is not there'} after the build. ${found} ` +
      'Set the output directory to where the build writes the site.',
  );
}
