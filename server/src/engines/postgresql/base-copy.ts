import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { copyUnfollowed, openFolder, type OpenFolder } from '../files/copy-unfollowed.ts';
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
 * of transactions. Files that go meanwhile are not missed. Links are followed by nobody: a server without tablespaces
 * has none. `copy` is there for tests.
 */
export async function copyRunning(
  from: string,
  to: string,
  signal: AbortSignal | undefined,
  copy: typeof copyUnfollowed = copyUnfollowed,
): Promise<void> {
  await copyFolder({ folder: await openFolder(from), to, isTop: true, signal, copy });
}

interface FolderWants {
  folder: OpenFolder | null;
  to: string;
  isTop: boolean;
  signal: AbortSignal | undefined;
  copy: typeof copyUnfollowed;
}

async function copyFolder({ folder: opened, to, isTop, signal, copy }: FolderWants): Promise<void> {
  if (!opened) return;
  await using folder = opened;
  const entries = (await readdir(folder.path, { withFileTypes: true })).filter(
    ({ name }) => !isTemporary(name) && !(isTop && (LEFT_OUT.has(name) || isMark(name))),
  );
  const files = entries.filter((entry) => entry.isFile());
  let next = 0;
  const copyNext = async (): Promise<void> => {
    for (let file = files[next++]; file; file = files[next++]) {
      signal?.throwIfAborted();
      await copy(join(folder.path, file.name), join(to, file.name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const target = join(to, name);
    await mkdir(target, { recursive: true, mode: 0o700 });
    if (isTop && LEFT_EMPTY.has(name)) await makeInner(name, target);
    else await copyFolder({ folder: await openFolder(folder.path, name), to: target, isTop: false, signal, copy });
  }
}

/** Folders that a server expects below its own. */
async function makeInner(name: string, folder: string): Promise<void> {
  if (name !== 'pg_wal') return;
  for (const inner of ['archive_status', 'summaries']) await mkdir(join(folder, inner), { mode: 0o700 });
}
