import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isAlive, type ProcessIdentity } from '../lib/process-identity.ts';
import type { Cgroup } from './cgroups/cgroup.ts';

/** What is running, and whose it is: written before it starts, so that whoever comes after a kill finds it. */
export interface SandboxRecord {
  owner: ProcessIdentity;
  cgroup: Cgroup;
}

export function writeRecord(folder: string, name: string, cgroup: Cgroup): () => void {
  const owner = identify(process.pid);
  if (!owner) throw new Error('cannot read /proc: Lilac needs a Linux /proc');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ owner, cgroup } satisfies SandboxRecord));
  return () => rmSync(path, { force: true });
}

/** Those whose owner is gone. */
export function listAbandoned(folder: string): { name: string; record: SandboxRecord | null; forget: () => void }[] {
  return namesIn(folder).flatMap((file) => {
    const path = join(folder, file);
    const record = readRecord(path);
    const name = file.slice(0, -'.json'.length);
    const forget = () => {
      rmSync(join(folder, `${name}.pipe`), { force: true });
      rmSync(path, { force: true });
    };
    return record && isAlive(record.owner) ? [] : [{ name, record, forget }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Null when its writer was killed in the middle: then nothing was started yet. */
function readRecord(path: string): SandboxRecord | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SandboxRecord;
  } catch {
    return null;
  }
}
