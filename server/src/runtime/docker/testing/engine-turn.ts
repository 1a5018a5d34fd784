import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from '../../../lib/process-identity.ts';

const FILE = join(tmpdir(), 'lilac-local-engine.turn');
const AGAIN_MS = 200;

/**
 * Two engines in one network take each other's rules of the firewall away: tests have one at a time, in all processes.
 * Resolves to how the turn is given back; one that was killed has given it back.
 */
export async function takeEngineTurn(): Promise<() => void> {
  while (!take()) await delay(AGAIN_MS);
  return () => rmSync(FILE, { force: true });
}

function take(): boolean {
  try {
    writeFileSync(FILE, JSON.stringify(identify(process.pid)), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = readOwner();
  if (owner && !isAlive(owner)) rmSync(FILE, { force: true });
  return false;
}

/** Null while it is being written. */
function readOwner(): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as ProcessIdentity;
  } catch {
    return null;
  }
}
