import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identify, type ProcessIdentity } from '../lib/process-identity.ts';

/** The eighth line of `postmaster.pid`; see PostgreSQL's miscadmin.h. */
const STATUS_LINE = 7;

/** The server that has this data open, whoever started it; a stale pid file is nobody. */
export function findServer(data: string): ProcessIdentity | null {
  const pid = recordedPid(data);
  if (pid === null || !worksIn(pid, data) || programOf(pid) !== 'postgres') return null;
  return identify(pid);
}

export function isReady(data: string, server: ProcessIdentity): boolean {
  return recordedPid(data) === server.pid && readPidFile(data)[STATUS_LINE]?.trim() === 'ready';
}

/**
 * PostgreSQL overwrites the pid file of a dead server by itself, but refuses to start when the
 * recorded pid meanwhile belongs to another process of the same user. Only then, and only when
 * nothing works on the data any more, are its lock files removed here.
 */
export function removeStaleLockFiles(data: string): void {
  const pid = recordedPid(data);
  if (pid === null || identify(pid) === null || isInUse(data)) return;
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock', '.s.PGSQL.5432'])
    rmSync(join(data, name), { force: true });
}

/** Every process of a server keeps the data folder as its working directory. */
function isInUse(data: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && worksIn(Number(name), data));
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}

function programOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

function recordedPid(data: string): number | null {
  const pid = Number(readPidFile(data)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

function readPidFile(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}
