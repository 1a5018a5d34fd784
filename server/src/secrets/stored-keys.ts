import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lock } from '../lib/file-lock.ts';
import { identify } from '../lib/process-identity.ts';
import { syncFolderOf } from '../lib/sync-folder.ts';
import { KEY_BYTES } from './envelope.ts';

/** What the key file holds. Whoever reads it can open every secret of the installation. */
export interface StoredKeys {
  version: 1;
  /** The id of the key that new values are sealed with. */
  current: string;
  /** A rotation has begun and not every value has been rewrapped yet. */
  isRotating: boolean;
  keys: StoredKey[];
}

export interface StoredKey {
  id: string;
  /** base64 */
  secret: string;
  createdAt: string;
  /** Since when nothing new is sealed with it. */
  retiredAt: string | null;
}

export class KeyFileError extends Error {}

/** Reads the key file; creates it, with one key, when there is none. */
export function readOrCreateKeys(path: string): StoredKeys {
  try {
    return readKeys(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    explainRefusal(path, () => createKeyFile(path));
    return readKeys(path);
  }
}

/** Throws ENOENT when there is no key file. */
export function readKeys(path: string): StoredKeys {
  const { mode } = statSync(path);
  if ((mode & 0o077) !== 0) {
    throw new KeyFileError(
      `The key file ${path} may be read or changed by other users (mode ${(mode & 0o777).toString(8)}). ` +
        `It opens every secret of this installation: run "chmod 600 ${path}", ` +
        'or, where it comes as a secret of a stack, give it mode: 0400.',
    );
  }
  return parseKeys(readFileSync(path, 'utf8'), path);
}

/** Changes the key file in one step: readers see the old one or the new one, also after a power cut. */
export async function updateKeys(path: string, change: (keys: StoredKeys) => StoredKeys): Promise<StoredKeys> {
  explainRefusal(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    accessSync(dirname(path), constants.W_OK);
  });
  const release = await lock(`${path}.lock`, 10_000);
  try {
    removeDrafts(path);
    const changed = change(readOrCreateKeys(path));
    const draft = writeDraft(path, changed);
    renameSync(draft, path);
    syncFolderOf(path);
    return changed;
  } finally {
    release();
  }
}

export function newStoredKey(now: Date): StoredKey {
  return {
    id: randomBytes(6).toString('hex'),
    secret: randomBytes(KEY_BYTES).toString('base64'),
    createdAt: now.toISOString(),
    retiredAt: null,
  };
}

/** Made by link(2): of two processes that create it at once, one wins and both read the winner's. */
function createKeyFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const key = newStoredKey(new Date());
  const draft = writeDraft(path, { version: 1, current: key.id, isRotating: false, keys: [key] });
  try {
    linkSync(draft, path);
    syncFolderOf(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A key file that was given from outside can often not be made or changed where it is. */
function explainRefusal(path: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw cause;
    throw new KeyFileError(
      `The key file ${path} cannot be made or changed here (${message}). ` +
        'Make or change a copy of it in a folder of your own (LILAC_KEYRING_FILE), and give that one to every host.',
      { cause },
    );
  }
}

function writeDraft(path: string, keys: StoredKeys): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return draft;
}

/** Whoever was killed while writing left a copy of the keys behind, which a rotation must not leave alive. */
function removeDrafts(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const file of readdirSync(folder).filter((each) => each.startsWith(`${name}.`))) {
    const pid = Number(/^\.(?:lock\.)?(\d+)(?:\.|$)/.exec(file.slice(name.length))?.[1]);
    if (pid && identify(pid) === null) rmSync(join(folder, file), { force: true });
  }
}

function parseKeys(text: string, path: string): StoredKeys {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new KeyFileError(`The key file ${path} is not readable JSON. Restore it from a backup.`, { cause });
  }
  if (!isStoredKeys(parsed)) {
    throw new KeyFileError(`The key file ${path} does not hold what it should. Restore it from a backup.`);
  }
  return parsed;
}

export function isStoredKeys(value: unknown): value is StoredKeys {
  const candidate = value as Partial<StoredKeys> | null;
  return (
    typeof candidate === 'object' &&
    candidate?.version === 1 &&
    Array.isArray(candidate.keys) &&
    candidate.keys.every(isStoredKey) &&
    candidate.keys.some((key) => key.id === candidate.current)
  );
}

function isStoredKey(value: unknown): value is StoredKey {
  const key = value as Partial<StoredKey> | null;
  return (
    typeof key?.id === 'string' &&
    /^\w+$/.test(key.id) &&
    typeof key.secret === 'string' &&
    Buffer.from(key.secret, 'base64').length === KEY_BYTES
  );
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
