import { createReadStream } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tooLarge } from '../artifacts/compress-slug.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import { BuildFailed } from './builder.ts';
import { inner } from './inner-paths.ts';
import { SHIM, SHIM_SOURCE } from './run/shim.ts';
import { startedFile } from './run/start-text.ts';
import { tryStep, type StepContext } from './run-step.ts';
import { chownTree, type Workspace } from './workspace.ts';

export interface PackOptions {
  /** Its mounts are those of the build: what is laid over the project is packed where it lies. */
  context: StepContext;
  workspace: Pick<Workspace, 'root' | 'uid'>;
  /** Patterns of tar, relative to the root of the tree. */
  excluded: readonly string[];
  plan: { startCommand: string; rootDirectory: string };
  maxBytes: number;
}

export interface PackedTree {
  /** A file of this machine, written by the build: not to be trusted. */
  archive: string;
  fileCount: number;
}

/** A limit counts in blocks of 512 bytes, and a file above it ends tar. Archives from Windows know no programs. */
const PACK = `
limit=$1; root=$2; program=$3; shim=$4; shift 4
cd "$root" || exit
if [ -n "$program" ] && [ -f "$program" ]; then chmod a+x -- "$program"; fi
if [ -n "$shim" ]; then mkdir -p .lilac && printf %s "$shim" > .lilac/serve.mjs || exit; fi
ulimit -f "$limit" 2>/dev/null || :
exec tar "$@"
`;

/**
 * Packs the built tree from inside the sandbox: there links lead where they will lead the instances, and whatever
 * tar may be made to read is the build's own.
 */
export async function packTree(options: PackOptions): Promise<PackedTree> {
  const { context, workspace, excluded, maxBytes } = options;
  const folder = join(workspace.root, 'pack');
  await mkdir(folder, { mode: 0o700 });
  await chownTree([folder], workspace.uid);
  const mount: Mount = { kind: 'folder', from: folder, at: inner.pack, isWritable: true };
  const command = options.plan.startCommand;
  const root = join(inner.source, options.plan.rootDirectory);
  const shim = command.includes(SHIM) ? await readFile(SHIM_SOURCE, 'utf8') : '';
  const limit = String(Math.ceil(maxBytes / 512) + 64);
  const exitCode = await tryStep(
    { ...context, mounts: [...context.mounts, mount], onLine: tellOnlyTrouble(context) },
    {
      name: 'pack',
      argv: ['/bin/sh', '-c', PACK, 'sh', limit, root, startedFile(command) ?? '', shim, ...tarArguments(excluded)],
      command: 'tar',
      cwd: inner.source,
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    },
  );
  const archive = join(folder, 'slug.tar');
  if (exitCode !== 0) throw await explain(archive, maxBytes);
  return { archive, fileCount: await countFiles(join(folder, 'names')) };
}

/** Owned by nobody in particular and readable by whoever runs it; the right to be another user goes. */
function tarArguments(excluded: readonly string[]): string[] {
  const archive = ['--create', '--file', `${inner.pack}/slug.tar`, '--format', 'gnu'];
  const owner = ['--numeric-owner', '--owner', '0', '--group', '0', '--mode', 'a+rX,u+w,go-w,a-s'];
  const names = ['--verbose', '--index-file', `${inner.pack}/names`];
  const patterns = excluded.map((pattern) => `--exclude=${pattern}`);
  return archive.concat(owner, names, patterns, ['--directory', inner.source, '--', '.']);
}

/** What tar says is told; that it is tar that runs is of no interest. */
function tellOnlyTrouble(context: StepContext): StepContext['onLine'] {
  return (line) => {
    if (line !== '$ tar' && !line.endsWith('socket ignored')) context.onLine(line);
  };
}

async function explain(archive: string, maxBytes: number): Promise<Error> {
  const size = (await stat(archive).catch(() => null))?.size ?? 0;
  return size >= maxBytes
    ? tooLarge(maxBytes)
    : new BuildFailed('The built project cannot be packed: the log tells which file could not be read.');
}

const [NEWLINE, SLASH] = [0x0a, 0x2f];

/** A name a line; those of folders end with a slash. */
async function countFiles(path: string): Promise<number> {
  let count = 0;
  let last = SLASH;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (byte === NEWLINE && last !== SLASH) count++;
      last = byte;
    }
  }
  return count;
}
