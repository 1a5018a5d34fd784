import type { Dirent } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMark } from '../files/whole-mark.ts';

/** What is the primary's own, or made anew by every server: as `pg_basebackup` has it. */
const LEFT_OUT = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'backup_label.old',
  'tablespace_map',
  'standby.signal',
  'recovery.signal',
  // What was set while it ran: of whom it waits for, and whether it takes writes.
  'postgresql.auto.conf',
]);
const LEFT_EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const isTemporary = (name: string): boolean => name.startsWith('pgsql_tmp') || name.startsWith('pg_internal.init');

const AT_ONCE = 4;

/**
 * Copies the files of a server that runs, between the begin and the end of a backup: torn pages are mended by the log
 * of transactions. Files that go meanwhile are not missed.
 */
export async function copyRunning(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  const files: { from: string; to: string }[] = [];
  await plan(from, to, files, true);
  let next = 0;
  const copyNext = async (): Promise<void> => {
    for (let file = files[next++]; file; file = files[next++]) {
      signal?.throwIfAborted();
      await copyFile(file.from, file.to).catch(ignoreMissing);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
}

/** Makes the folders, and lists the files. Links are followed by nobody: a server without tablespaces has none. */
async function plan(from: string, to: string, files: { from: string; to: string }[], isTop: boolean): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true }).catch((error: unknown) => noEntries(error))) {
    const { name } = entry;
    if (isTemporary(name) || (isTop && (LEFT_OUT.has(name) || isMark(name)))) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (entry.isFile()) files.push({ from: source, to: target });
    if (!entry.isDirectory()) continue;
    await mkdir(target, { recursive: true, mode: 0o700 });
    if (isTop && LEFT_EMPTY.has(name)) await makeInner(name, target);
    else await plan(source, target, files, false);
  }
}

/** Folders that a server expects below its own. */
async function makeInner(name: string, folder: string): Promise<void> {
  if (name !== 'pg_wal') return;
  for (const inner of ['archive_status', 'summaries']) await mkdir(join(folder, inner), { mode: 0o700 });
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function noEntries(error: unknown): Dirent[] {
  ignoreMissing(error);
  return [];
}
