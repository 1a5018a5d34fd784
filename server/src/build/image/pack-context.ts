import ignore from '@balena/dockerignore';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { start } from '../../lib/exec.ts';
import { realPathInside } from '../inside.ts';

/** Where the engine finds the Dockerfile that it is given; no project has a file of that name. */
export const GIVEN_DOCKERFILE = '.lilac.dockerfile';
const IGNORE_FILE = '.dockerignore';

export interface ContextOptions {
  /** The whole source. */
  source: string;
  /** The project's folder in it. */
  rootDirectory: string;
  /** Of the Dockerfile, as the engine is to read it. */
  dockerfile: string;
  /** A folder of the platform's own. */
  staging: string;
  signal: AbortSignal;
}

/**
 * The files that a Dockerfile may take, as a tar that is made while it is read: links stay links, so that nothing from
 * outside the project comes in, and what `.dockerignore` names stays out.
 */
export async function packContext({
  source,
  rootDirectory,
  dockerfile,
  staging,
  signal,
}: ContextOptions): Promise<Readable> {
  const root = realPathInside(source, rootDirectory) ?? source;
  const ignored = await readIgnored(source, rootDirectory);
  const own = join(staging, 'dockerfile');
  await mkdir(own, { mode: 0o700 });
  await writeFile(join(own, GIVEN_DOCKERFILE), dockerfile);
  // The engine takes both away before the build sees them, as they are named in it.
  await writeFile(join(own, IGNORE_FILE), `${ignored}\n${GIVEN_DOCKERFILE}\n`);
  const names = join(staging, 'context-names');
  await writeNames(names, root, ignored);
  const owner = ['--numeric-owner', '--owner=0', '--group=0', '--mode=a+rX,u+w,go-w,a-s'];
  const given = [`--directory=${own}`, GIVEN_DOCKERFILE, IGNORE_FILE];
  const child = start(
    [
      'tar',
      '--create',
      '--file=-',
      '--format=gnu',
      '--no-recursion',
      ...owner,
      ...given,
      `--directory=${root}`,
      '--null',
      `--files-from=${names}`,
    ],
    { env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }, stdio: ['ignore', 'pipe', 'pipe'], signal },
  );
  return wholeOutput(child);
}

async function readIgnored(source: string, rootDirectory: string): Promise<string> {
  const path = realPathInside(source, join(rootDirectory, IGNORE_FILE));
  return path === null ? '' : readFile(path, 'utf8');
}

/** A name ends with a zero byte; it may hold anything else. */
async function writeNames(path: string, root: string, ignored: string): Promise<void> {
  const patterns = ignore.default().add(ignored.split(/\r?\n/));
  const hasExceptions = /^\s*!/m.test(ignored);
  const file = createWriteStream(path, { mode: 0o600 });
  const failed = once(file, 'error').then(([error]) => Promise.reject(error as Error));
  failed.catch(() => {});
  for await (const name of walk(root, '', (relative, isFolder) => {
    const isIgnored = patterns.ignores(relative);
    return { isTaken: !isIgnored, isEntered: isFolder && (!isIgnored || hasExceptions) };
  })) {
    if (!file.write(`./${name}\0`)) await Promise.race([once(file, 'drain'), failed]);
  }
  file.end();
  await Promise.race([once(file, 'close'), failed]);
}

type Look = (relative: string, isFolder: boolean) => { isTaken: boolean; isEntered: boolean };

async function* walk(root: string, folder: string, look: Look): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (name === IGNORE_FILE || name === GIVEN_DOCKERFILE) continue;
    const { isTaken, isEntered } = look(name, entry.isDirectory());
    if (isTaken) yield name;
    if (isEntered) yield* walk(root, name, look);
  }
}

/** Fails where tar does: half a context is none. What nobody has read yet would be lost with the end of tar itself. */
function wholeOutput(child: ReturnType<typeof start>): Readable {
  const packed = new PassThrough();
  let said = '';
  child.stdout!.pipe(packed, { end: false });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  child.once('error', (error) => packed.destroy(error));
  child.once('close', (exitCode) => {
    if (exitCode === 0) packed.end();
    else packed.destroy(new Error(`the files of a build cannot be packed: ${said.trim()}`));
  });
  packed.once('close', () => child.kill());
  return packed;
}
