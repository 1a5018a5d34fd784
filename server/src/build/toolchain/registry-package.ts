import { mkdir, mkdtemp, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { lock } from '../../lib/file-lock.ts';
import { BuildFailed } from '../builder.ts';
import { removeTree } from '../../lib/remove-tree.ts';

export interface RegistryOptions {
  /** The folder of the toolchains: shared by all builds, written by the platform only. */
  root: string;
  /** The program that runs npm, and npm's own. */
  npm: readonly [string, string];
  /** Proxies and certificates of this machine. */
  hostVariables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

export interface RegistryPackage {
  name: string;
  /** An exact version, a major, a range; `latest`. */
  version: string;
  /** For people: `Node 18`. */
  title: string;
}

/** A major's newest release is looked for again after this long. */
const FRESH_MS = 7 * 24 * 3600 * 1000;
const LOCK_MS = 10 * 60 * 1000;
/** Use is noted once in so long: a small part of the time after which a tool counts as unused. */
const NOTED_MS = 24 * 3600 * 1000;

/**
 * The folder of an installed package, with its programs in `node_modules/.bin`. Installed at the first
 * use, beside its final place, and moved there whole.
 */
export async function installRegistryPackage(wanted: RegistryPackage, options: RegistryOptions): Promise<string> {
  const folder = join(options.root, wanted.name.replaceAll('/', '+'));
  const pointer = join(folder, `${encodeURIComponent(wanted.version)}.json`);
  const known = await readPointer(pointer);
  if (known?.isFresh && known.isNoted) return known.path;
  await mkdir(folder, { recursive: true, mode: 0o755 });
  // Also only to note its use: what is evicted is chosen and removed under this lock.
  const unlock = await lock(lockOf(folder), LOCK_MS);
  try {
    const since = await readPointer(pointer);
    const path = since?.isFresh ? since.path : await renew(wanted, { ...options, folder, pointer, since });
    await utimes(path, new Date(), new Date());
    return path;
  } finally {
    unlock();
  }
}

export const lockOf = (folder: string): string => join(folder, 'lock');

interface Renewal extends RegistryOptions {
  folder: string;
  pointer: string;
  since: { path: string } | null;
}

/** Where the registry cannot be reached, what is there will do. */
async function renew(wanted: RegistryPackage, options: Renewal): Promise<string> {
  const path = await install(wanted, options).catch((error: unknown) => {
    if (options.since && !options.signal.aborted) return options.since.path;
    throw error;
  });
  await writePointer(options.pointer, path);
  return path;
}

async function install(wanted: RegistryPackage, options: RegistryOptions & { folder: string }): Promise<string> {
  const { folder, npm, hostVariables, signal } = options;
  const draft = await mkdtemp(join(folder, 'draft-'));
  try {
    const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { exitCode, stderr } = await run(
      [...npm, 'install', `--prefix=${draft}`, ...flags, '--', `${wanted.name}@${wanted.version}`],
      {
        cwd: draft,
        env: { ...hostVariables, PATH: `${dirname(npm[0])}:/usr/bin:/bin`, HOME: homedir() },
        timeoutMs: 5 * 60 * 1000,
        signal,
      },
    );
    if (exitCode !== 0) throw explain(wanted, stderr);
    return await settle(draft, wanted, folder);
  } finally {
    await removeTree(draft);
  }
}

async function settle(draft: string, { name }: RegistryPackage, folder: string): Promise<string> {
  const manifest = await readFile(join(draft, 'node_modules', name, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const path = join(folder, version);
  if (await stat(path).catch(() => null)) return path;
  await run(['chmod', '-R', 'a+rX', '--', draft], { env: { PATH: '/usr/bin:/bin' } });
  await rename(draft, path);
  return path;
}

function explain({ name, version, title }: RegistryPackage, stderr: string): Error {
  return /\bE404\b|\bETARGET\b|No matching version/.test(stderr)
    ? new BuildFailed(
        `${title} is wanted, but the package registry has no ${name}@${version}. Ask for another version.`,
      )
    : new Error(`${title} cannot be installed: ${stderr.trim().slice(0, 1000)}`);
}

interface Pointer {
  path: string;
  /** The newest of what is asked for, as of lately. */
  isFresh: boolean;
  /** That it is in use. */
  isNoted: boolean;
}

export async function readPointer(pointer: string): Promise<Pointer | null> {
  try {
    const { path } = JSON.parse(await readFile(pointer, 'utf8')) as { path: string };
    return { path, isFresh: (await ageOf(pointer)) < FRESH_MS, isNoted: (await ageOf(path)) < NOTED_MS };
  } catch {
    return null;
  }
}

async function ageOf(path: string): Promise<number> {
  return Date.now() - (await stat(path)).mtimeMs;
}

async function writePointer(pointer: string, path: string): Promise<void> {
  const draft = `${pointer}.${process.pid}`;
  await writeFile(draft, JSON.stringify({ path }));
  await rename(draft, pointer);
}
