import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
 * PostgreSQL overwrites the pid file of a dead server by itself, but refuses to start while the
 * recorded pid is taken: by another process of the same user, or by the dead server itself, whom
 * nobody has buried yet. Only then, and only when nothing works on the data any more, are its lock
 * files removed here.
 */
export function removeStaleLockFiles(data: string): void {
  const pid = recordedPid(data);
  if (pid === null || !existsSync(`/proc/${pid}`) || isInUse(data)) return;
  const locks = readdirSync(data).filter((name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'));
  for (const name of locks) rmSync(join(data, name), { force: true });
}

/** A killed server's other processes end by themselves a moment later; the next one cannot start before. */
export async function waitUntilLeft(data: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (isInUse(data) && Date.now() < deadline) await delay(20);
}

/** Every process of a server keeps the data folder as its working directory. */
function isInUse(data: string): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).some((pid) => worksIn(pid, data) && programOf(pid) === 'postgres');
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
