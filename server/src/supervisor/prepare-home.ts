import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { pathsOf, type Config } from '../config.ts';
import { LockHeld, tryLock } from '../lib/file-lock.ts';
import { choosesWrongly, holdsSomethingElse } from '../store/home-folder.ts';
import { StartRefused } from './start-refused.ts';

/** Makes LILAC_HOME and its folders, for its owner alone. */
export function prepareHome(config: Pick<Config, 'home'>): void {
  makeFolder(config.home);
  const status = statSync(config.home);
  if (!status.isDirectory()) throw new StartRefused(`LILAC_HOME (${config.home}) is not a folder.`);
  if (status.uid !== process.getuid?.()) {
    throw new StartRefused(
      `LILAC_HOME (${config.home}) belongs to user ${status.uid}, and this is user ${process.getuid?.()}. ` +
        'Start Lilac as that user, or set LILAC_HOME to a folder of your own.',
    );
  }
  if (holdsSomethingElse(config.home)) throw new StartRefused(choosesWrongly(config.home));
  if ((status.mode & 0o777) !== 0o700) chmodSync(config.home, 0o700);
  assertWritable(config.home);
  const paths = pathsOf(config);
  for (const folder of [paths.store, paths.run, paths.secrets, paths.logs]) makeFolder(folder);
}

/** One supervisor at a time per LILAC_HOME. Returns what gives it back. */
export function takeHome(config: Pick<Config, 'home'>): () => void {
  try {
    return tryLock(pathsOf(config).supervisorLock);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw cannotWrite(config.home, error);
    throw new StartRefused(
      `Lilac runs already on ${config.home} (process ${error.holder.pid}). ` +
        'Stop that one first, or set LILAC_HOME (and LILAC_PORT) for a second installation.',
    );
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartRefused(`${path} cannot be made: ${(error as Error).message}. Set LILAC_HOME to a writable folder.`);
  }
}

function cannotWrite(home: string, error: unknown): StartRefused {
  const reason = (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'the disk is full' : (error as Error).message;
  return new StartRefused(`Nothing can be written to LILAC_HOME (${home}): ${reason}.`);
}

function assertWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new StartRefused(`LILAC_HOME (${path}) is not writable. Set LILAC_HOME to a writable folder.`);
  }
}
