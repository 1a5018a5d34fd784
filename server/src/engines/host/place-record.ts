import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseType } from '@lilac/contract/states';
import { writeWhole } from '../../lib/write-whole.ts';
import type { Cgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { ServerSize } from '../server.ts';
import { filesOf } from './place-files.ts';

/** Everything that is taken for a server, written before it is taken: who comes later finds it, or removes it. */
export interface PlaceRecord {
  version: 1;
  serverId: string;
  type: DatabaseType;
  databaseId: string;
  /** Null: it runs as the platform's own user. */
  uid: number | null;
  size: ServerSize;
  volume: VolumeRecord;
  cgroup: Cgroup;
  /** Its removal has begun, and nothing of it is to be used any more. */
  isGoing: boolean;
}

export type VolumeRecord =
  /** `bytes` is how large it has been made, `emptyBytes` what it takes for itself. */
  { kind: 'image'; bytes: number; emptyBytes: number } | { kind: 'folder' };

const DRAFT = '.draft-';
const GONE = '.gone-';

/** The folder is there with its record, or not at all. */
export function createRecord(root: string, record: PlaceRecord): void {
  const draft = join(root, `${DRAFT}${record.serverId}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  write(filesOf(draft).record, record);
  renameSync(draft, join(root, record.serverId));
}

export function changeRecord(root: string, record: PlaceRecord): void {
  write(filesOf(join(root, record.serverId)).record, record);
}

/** Null when there is no such place. One whose record cannot be read is not taken for none: its data may be somebody's. */
export function readRecord(root: string, serverId: string): PlaceRecord | null {
  const path = filesOf(join(root, serverId)).record;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PlaceRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read: restore it, or remove its folder by hand if nobody needs the data`, {
      cause: error,
    });
  }
}

export const listPlaces = (root: string): string[] => namesIn(root).filter((name) => !name.startsWith('.'));

/** Nobody finds it any more. */
export function setAside(root: string, serverId: string): string {
  const gone = join(root, `${GONE}${serverId}-${Date.now()}`);
  renameSync(join(root, serverId), gone);
  return gone;
}

/** What was being made or removed when somebody was killed. */
export const listLeftovers = (root: string): string[] =>
  namesIn(root)
    .filter((name) => name.startsWith(DRAFT) || name.startsWith(GONE))
    .map((name) => join(root, name));

function write(path: string, record: PlaceRecord): void {
  writeWhole(path, JSON.stringify(record), { mode: 0o600, isSynced: true });
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
