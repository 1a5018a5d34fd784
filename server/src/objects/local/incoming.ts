import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identify, isAlive } from '../../lib/process-identity.ts';

/**
 * Where objects are written before they are whole. It lies in the root, so that moving an object to its
 * key is one rename; no key can name it, for keys have no `~`.
 */
export const INCOMING = '~incoming';

/** The name of a file says whose it is, so that a killed process's can be told from one that is being written. */
export function newIncomingPath(root: string): string {
  return join(root, INCOMING, `${ownName()}.${randomBytes(9).toString('base64url')}`);
}

export async function makeIncoming(root: string): Promise<void> {
  await mkdir(join(root, INCOMING), { recursive: true, mode: 0o700 });
}

/** Removes what processes left behind that live no more. */
export async function sweepIncoming(root: string): Promise<number> {
  const names = await readdir(join(root, INCOMING)).catch(() => []);
  const abandoned = names.filter((name) => !isOwnerAlive(name));
  await Promise.all(abandoned.map((name) => rm(join(root, INCOMING, name), { force: true, recursive: true })));
  return abandoned.length;
}

let known: string | undefined;

function ownName(): string {
  known ??= `${process.pid}-${identify(process.pid)!.startTime}`;
  return known;
}

function isOwnerAlive(name: string): boolean {
  const match = /^(\d+)-(\d+)\./.exec(name);
  return match !== null && isAlive({ pid: Number(match[1]), startTime: match[2]! });
}
