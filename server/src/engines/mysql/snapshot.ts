import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RowDataPacket } from 'mysql2/promise';
import { removeTree } from '../../lib/remove-tree.ts';
import { EngineRefused } from '../engine.ts';
import type { ServerPlace } from '../host/server-host.ts';
import { copyUnfollowed, openFolder, type OpenFolder } from '../files/copy-unfollowed.ts';
import { isMark } from '../files/whole-mark.ts';
import { connectAsPlatform, SOCKET_NAME, type Session } from './connect.ts';
import { BINLOG_NAME, OWN_FOLDERS, RELAY_NAME } from './settings.ts';

export interface Snapshot extends AsyncDisposable {
  folder: string;
  /** What has been done up to it, for a standby to go on from. */
  position: string;
}

const ATTEMPTS = 40;
const LOCK_SECONDS = 10;
const COPIES_AT_A_TIME = 16;

/**
 * A copy of a server's files while it runs, such as a crash at that moment would have left them: whoever starts on it
 * recovers. It lies in the same volume, where it shares its blocks with the original and so takes a moment; where the
 * file system cannot do that, commits wait as long as copying takes.
 */
export async function takeSnapshot(place: ServerPlace, signal?: AbortSignal): Promise<Snapshot> {
  await using session = await connectAsPlatform(place.home);
  const { connection } = session;
  await connection.query(`set session lock_wait_timeout = ${LOCK_SECONDS}`);
  await holdCommits(session);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    signal?.throwIfAborted();
    await using stack = new AsyncDisposableStack();
    const { path } = stack.use(await openCopy(place.home));
    if (await copyConsistently(place.home, path)) {
      const [[row]] = await connection.query<RowDataPacket[]>('select @@global.gtid_binlog_pos as position');
      await connection.query('backup stage end');
      const kept = stack.move();
      const position = String(row?.['position'] ?? '');
      return { folder: path, position, [Symbol.asyncDispose]: () => kept.disposeAsync() };
    }
  }
  throw new EngineRefused('The database writes too much to be copied for a standby; try again when it is quieter.');
}

/** The platform's own, though it lies in a folder of the server's user: who could put another in its place, not into it. */
async function openCopy(home: string): Promise<OpenFolder> {
  const path = join(home, OWN_FOLDERS.copy);
  await removeTree(path);
  await mkdir(path, { mode: 0o700 });
  const folder = await openFolder(path);
  if (!folder || (await folder.handle.stat()).uid !== process.getuid?.()) {
    await folder?.[Symbol.asyncDispose]();
    throw new EngineRefused('Somebody else writes where the database is to be copied.');
  }
  return {
    ...folder,
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      await removeTree(path);
    },
  };
}

/**
 * From here to the end of the session nothing is committed, and tables without transactions are not written. With a
 * log for standbys commits are not on the disk by themselves, since they could be told from that log.
 */
async function holdCommits({ connection }: Session): Promise<void> {
  for (const stage of ['start', 'flush', 'block_ddl', 'block_commit']) await connection.query(`backup stage ${stage}`);
  await connection.query('flush no_write_to_binlog engine logs');
}

/**
 * Files go on changing while they are copied, each at another moment. Recovery makes up for that as long as it begins
 * before the first one was copied and has everything that was written after: the logs are copied last, and where
 * recovery begins must not have moved meanwhile. False when it has.
 */
export async function copyConsistently(home: string, target: string, copy = copyOrRefuse): Promise<boolean> {
  await using opened = new AsyncDisposableStack();
  const files = await filesToCopy(home, opened);
  const before = await whereRecoveryBegins(home);
  for (const folder of new Set(files.map(({ name }) => dirname(name)))) {
    await mkdir(join(target, folder), { recursive: true, mode: 0o700 });
  }
  const copyOne = ({ from, name }: FileToCopy) => copy(from, join(target, name));
  await inGroups(
    files.filter(({ name }) => !isLog(name)),
    copyOne,
  );
  await inGroups(
    files.filter(({ name }) => isLog(name)),
    copyOne,
  );
  return before.equals(await whereRecoveryBegins(target));
}

async function copyOrRefuse(from: string, to: string): Promise<void> {
  if (!(await copyUnfollowed(from, to))) {
    throw new EngineRefused(`The file ${basename(from)} of the database went while it was copied; try again.`);
  }
}

const REDO_LOG = 'ib_logfile0';
const ARIA_CONTROL = 'aria_log_control';
/** The head of InnoDB's log: it names the checkpoint in one of two blocks, the last of which begins at 8192. */
const REDO_HEAD_BYTES = 12_288;
const UNFOLLOWED = constants.O_RDONLY | constants.O_NOFOLLOW;

const isLog = (file: string): boolean => file === REDO_LOG || /^aria_log[._]/.test(file);

async function whereRecoveryBegins(folder: string): Promise<Buffer> {
  await using file = await open(join(folder, REDO_LOG), UNFOLLOWED);
  const head = Buffer.alloc(REDO_HEAD_BYTES);
  await file.read(head, 0, head.length, 0);
  return Buffer.concat([head, await readFile(join(folder, ARIA_CONTROL), { flag: UNFOLLOWED })]);
}

interface FileToCopy {
  from: string;
  /** Below the home. */
  name: string;
}

/** The folders of databases stay open, and files in them are reached by that. */
async function filesToCopy(home: string, opened: AsyncDisposableStack): Promise<FileToCopy[]> {
  const entries = await readdir(home, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !staysBehind(entry.name))
    .map(({ name }) => ({ from: join(home, name), name }));
  for (const database of entries.filter((entry) => entry.isDirectory() && !isOwnFolder(entry.name))) {
    const folder = opened.use(await openFolder(home, database.name));
    if (!folder) continue;
    for (const entry of await readdir(folder.path, { withFileTypes: true })) {
      const { name } = entry;
      if (entry.isFile()) files.push({ from: join(folder.path, name), name: join(database.name, name) });
    }
  }
  return files;
}

const isOwnFolder = (name: string): boolean => Object.values<string>(OWN_FOLDERS).includes(name);

/** What belongs to this server and not to its data: whom it follows, who follows it, what it keeps while it runs. */
const staysBehind = (name: string): boolean =>
  [SOCKET_NAME, 'mariadbd.pid', 'ibtmp1'].includes(name) ||
  isMark(name) ||
  name.startsWith(`${BINLOG_NAME}.`) ||
  name.startsWith(RELAY_NAME) ||
  name.endsWith('.info');

async function inGroups(files: readonly FileToCopy[], work: (file: FileToCopy) => Promise<void>): Promise<void> {
  for (let at = 0; at < files.length; at += COPIES_AT_A_TIME) {
    await Promise.all(files.slice(at, at + COPIES_AT_A_TIME).map(work));
  }
}
