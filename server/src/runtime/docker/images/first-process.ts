import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../../../lib/exec.ts';

/** A shell that runs in any image, also in one that has nothing but its own program. */
export interface FirstProcess {
  /** The folder of this machine that holds it. */
  folder: string;
  /** Where a container is shown it. */
  at: string;
  /** Begins a command; the script and its arguments follow. */
  argv: readonly string[];
}

const SHELL = '/bin/sh';
const AT = '/run/lilac/first';
const ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/**
 * This machine's own shell, with the loader and the libraries it needs: called by its loader it asks nothing of the
 * image. Made once; what containers were shown stays as it is when the machine's shell changes.
 */
export async function prepareFirstProcess(root: string): Promise<FirstProcess> {
  const { loader, files } = await findFiles();
  const hash = createHash('sha256');
  for (const file of files) hash.update(basename(file)).update(readFileSync(file));
  const folder = join(root, `first-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(folder)) copyAll(files, folder);
  const argv = [`${AT}/${basename(loader)}`, '--library-path', AT, `${AT}/${basename(SHELL)}`, '-c'];
  return { folder, at: AT, argv };
}

async function findFiles(): Promise<{ loader: string; files: string[] }> {
  const { exitCode, stdout, stderr } = await run(['ldd', SHELL], { env: ENV });
  const loader = /^\s*(\/\S*\/ld[^/\s]*)\s+\(/m.exec(stdout)?.[1];
  if (exitCode !== 0 || !loader)
    throw new Error(`${SHELL} of this machine cannot be shown to images: ${stderr.trim()}`);
  const libraries = [...stdout.matchAll(/=>\s+(\/\S+)\s+\(/g)].map((match) => match[1]!);
  return { loader, files: [SHELL, loader, ...libraries] };
}

/** There whole, or not at all. */
function copyAll(files: readonly string[], folder: string): void {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const file of files) {
    const copy = join(draft, basename(file));
    copyFileSync(file, copy);
    chmodSync(copy, 0o755);
  }
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
