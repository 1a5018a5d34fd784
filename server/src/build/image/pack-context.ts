import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { start } from '../../lib/exec.ts';
import { BuildFailed } from '../builder.ts';
import { realPathInside } from '../inside.ts';
import { readDockerignore, type Ignored } from './read-dockerignore.ts';
import { readSmallFile } from './read-small-file.ts';

/** Where the engine finds the Dockerfile that it is given; no project has a file of that name. */
export const GIVEN_DOCKERFILE = '.lilac.dockerfile';
const IGNORE_FILE = '.dockerignore';
const OWN_FILES = [GIVEN_DOCKERFILE, IGNORE_FILE];

/** Comparing names takes the time of the whole worker: others have their turn so often, and it ends at some time. */
const TURN_MS = 10;
const MAX_COMPARING_MS = 60_000;

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
 * outside the project comes in, and what `.dockerignore` names stays out. Whoever has it destroys it; that it fails
 * before anybody reads it ends nobody.
 */
export async function packContext(options: ContextOptions): Promise<Readable> {
  const { source, rootDirectory, dockerfile, staging, signal } = options;
  const root = realPathInside(source, rootDirectory) ?? source;
  const ignored = await readIgnored(source, rootDirectory);
  const own = join(staging, 'dockerfile');
  await mkdir(own, { mode: 0o700 });
  await writeFile(join(own, GIVEN_DOCKERFILE), dockerfile);
  // The engine takes away what is named in it, before the build sees anything; of the project's it is told nothing.
  await writeFile(join(own, IGNORE_FILE), OWN_FILES.map((name) => `${name}\n`).join(''));
  const names = join(staging, 'context-names');
  await pipeline(listNames(root, ignored), createWriteStream(names, { mode: 0o600 }), { signal });
  const owner = ['--numeric-owner', '--owner=0', '--group=0', '--mode=a+rX,u+w,go-w,a-s'];
  const child = start(
    [
      'tar',
      '--create',
      '--file=-',
      '--format=gnu',
      '--no-recursion',
      ...owner,
      `--directory=${own}`,
      ...OWN_FILES,
      `--directory=${root}`,
      '--null',
      `--files-from=${names}`,
    ],
    { env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }, stdio: ['ignore', 'pipe', 'pipe'], signal },
  );
  return wholeOutput(child);
}

async function readIgnored(source: string, rootDirectory: string): Promise<Ignored> {
  const path = realPathInside(source, join(rootDirectory, IGNORE_FILE));
  return readDockerignore(path === null ? '' : await readSmallFile(path, IGNORE_FILE));
}

/** A name ends with a zero byte; it may hold anything else. */
async function* listNames(root: string, ignored: Ignored): AsyncGenerator<string> {
  const compare = createComparer(ignored);
  async function* walk(folder: string): AsyncGenerator<string> {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (OWN_FILES.includes(name)) continue;
      const isIgnored = await compare(name);
      if (!isIgnored) yield `./${name}\0`;
      if (entry.isDirectory() && (!isIgnored || ignored.hasExceptions)) yield* walk(name);
    }
  }
  yield* walk('');
}

function createComparer(ignored: Ignored): (path: string) => Promise<boolean> {
  let [spentMs, turnedAt] = [0, performance.now()];
  return async (path) => {
    const startedAt = performance.now();
    const isIgnored = ignored.has(path);
    const endedAt = performance.now();
    spentMs += endedAt - startedAt;
    if (spentMs > MAX_COMPARING_MS) {
      throw new BuildFailed(
        'The .dockerignore takes too long to compare with all files. Leave out whole folders instead.',
      );
    }
    if (endedAt - turnedAt > TURN_MS) {
      await turn();
      turnedAt = performance.now();
    }
    return isIgnored;
  };
}

/** Fails where tar does: half a context is none. What nobody has read yet would be lost with the end of tar itself. */
function wholeOutput(child: ReturnType<typeof start>): Readable {
  const packed = new PassThrough();
  let said = '';
  packed.on('error', () => {});
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
