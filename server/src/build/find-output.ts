import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BuildFailed } from './builder.ts';
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

/** The folder of the built site. Rejects with `BuildFailed` when there is none. */
export async function findOutput({ source, plan, isChosen, onLine }: OutputOptions): Promise<string> {
  const root = join(source, plan.rootDirectory);
  const wanted = plan.outputDirectory ?? '';
  if (await isSite(source, join(root, wanted))) return preferBrowser(source, root, { wanted, isChosen, onLine });
  const moved = isChosen ? null : await findMoved(source, root, plan);
  if (moved === null) throw await nothingThere(root, wanted);
  onLine(`The output is in ${moved}, not in ${wanted || 'the root'} as expected; it is taken from there.`);
  return join(root, moved);
}

/** Builders that make a server too put the site one folder deeper. */
async function preferBrowser(
  source: string,
  root: string,
  { wanted, isChosen, onLine }: Pick<OutputOptions, 'isChosen' | 'onLine'> & { wanted: string },
): Promise<string> {
  const folder = join(root, wanted);
  if (isChosen || existsSync(join(folder, 'index.html'))) return folder;
  for (const name of ['browser', 'client', 'public']) {
    if (!existsSync(join(folder, name, 'index.html')) || !(await isSite(source, join(folder, name)))) continue;
    onLine(`The site is in ${join(wanted, name)}; it is taken from there.`);
    return join(folder, name);
  }
  return folder;
}

async function findMoved(source: string, root: string, plan: OutputOptions['plan']): Promise<string | null> {
  const isUsual = (name: string) => name !== 'public' || PUBLIC_IS_OUTPUT.has(plan.framework ?? '');
  for (const name of COMMON.filter(isUsual)) {
    if (existsSync(join(root, name, 'index.html')) && (await isSite(source, join(root, name)))) return name;
  }
  return null;
}

/** A folder with something in it, reached without leaving the project. */
async function isSite(source: string, folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => null);
  const project = await realpath(source);
  if (real === null || (real !== project && !real.startsWith(project + sep))) return false;
  const names = await readdir(real).catch(() => []);
  return names.length > 0;
}

async function nothingThere(root: string, wanted: string): Promise<BuildFailed> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !/^(node_modules|\.git)$/.test(entry.name));
  const isEmpty = existsSync(join(root, wanted)) && (await readdir(join(root, wanted)).catch(() => null))?.length === 0;
  const found =
    folders.length > 0
      ? `The folders there are: ${folders.map(({ name }) => name).join(', ')}.`
      : 'There is no folder at all.';
  return new BuildFailed(
    `The output directory ${wanted || '.'} ${isEmpty ? 'is empty' : 'is not there'} after the build. ${found} ` +
      'Set the output directory to where the build writes the site.',
  );
}
