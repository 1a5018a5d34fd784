import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { OutputTooLong, run } from '../../../lib/exec.ts';
import { findProgram } from '../../../lib/find-program.ts';
import { PROGRAM_PATH } from '../../../sandbox/launch.ts';
import { CROWDED } from '../../crowded.ts';
import { EngineRefused } from '../../engine.ts';
import { CannotBeDumped } from '../../transfer.ts';
import { READER_ROLE } from '../host-based-access.ts';
import type { PostgresqlPrograms } from '../programs.ts';
import { READER_SETTINGS, sessionOptions } from '../session-settings.ts';
import { failureOfDump } from './dump-failure.ts';
import { StillMoving } from './hold-still.ts';
import { WASM_SERIES, wasmDump } from './wasm-dump.ts';

export interface SchemaWants {
  home: string;
  port: number;
  /** Of the server. */
  series: number;
  databaseName: string;
  snapshot: string;
  /** How many tables it has. */
  tables: number;
  programs: readonly PostgresqlPrograms[];
  limits: SchemaLimits;
  signal: AbortSignal;
}

/** Of either part: what somebody puts into functions and comments may be small on the disk, and large as text. */
export interface SchemaLimits {
  /** It is held until the rows are written. */
  textBytes: number;
  /** What `pg_dump` allocates, which has all of it before it writes the first line. */
  memoryBytes: number;
}

/** 1,500 tables take 1 MB of text and less than 16 of memory, and 40 MB of functions less than 64. */
export const SCHEMA_LIMITS: SchemaLimits = { textBytes: 64 * 1024 ** 2, memoryBytes: 512 * 1024 ** 2 };

/** What there must be before the rows (tables, types, functions), and after them (indexes, constraints, triggers). */
export async function dumpSchema(wants: SchemaWants): Promise<{ before: string; after: string }> {
  // Side by side: the sooner both have looked at the tables, the less may come between.
  const sections = [dumpSection(wants, 'pre-data'), dumpSection(wants, 'post-data')] as const;
  await Promise.allSettled(sections);
  const [before, after] = await Promise.all(sections);
  return { before, after };
}

/**
 * All tables are held already, so that nobody can have one for himself; whoever waits for one waits for us, and we must
 * not wait for him.
 */
const LOCK_WAIT_MS = 200;
/** That they are many takes its time, of a small tier's processor most. */
const LOCK_WAIT_PER_TABLE_MS = 2;

async function dumpSection(wants: SchemaWants, section: 'pre-data' | 'post-data'): Promise<string> {
  const args = [
    `--dbname=${connectionOf(wants)}`,
    `--section=${section}`,
    `--snapshot=${wants.snapshot}`,
    `--lock-wait-timeout=${LOCK_WAIT_MS + wants.tables * LOCK_WAIT_PER_TABLE_MS}`,
    // There is one account here, and it may have another name where the text is loaded.
    '--no-owner',
    '--no-privileges',
    '--no-security-labels',
    '--no-subscriptions',
    '--no-tablespaces',
    '--no-blobs',
    '--encoding=UTF8',
  ];
  try {
    return await runDump(wants, args);
  } catch (error) {
    if (error instanceof OutputTooLong) throw new CannotBeDumped(tooLarge(wants.limits), { cause: error });
    // Nothing else of what it does has a limit.
    const isLocked = error instanceof EngineRefused && /due to (?:lock|statement) timeout/.test(error.message);
    if (isLocked) throw new StillMoving(error.message);
    throw error instanceof EngineRefused && NO_PLACE.test(error.message) ? new EngineRefused(CROWDED) : error;
  }
}

const tooLarge = ({ textBytes }: SchemaLimits): string =>
  `What this database has besides its rows (functions, views, comments, tables) takes more than about ` +
  `${Math.floor(textBytes / 1024 ** 2)} MB as text, and no more of it can be written down. Make what is large among it ` +
  'smaller, then try again.';

/** What a server says to whom it has no place for. */
const NO_PLACE = /too many clients already|connection slots are reserved/;

/** What a customer has set for the database does not count. */
const SESSION_SETTINGS = { ...READER_SETTINGS, client_connection_check_interval: '1000' };

function connectionOf({ home, databaseName }: SchemaWants): string {
  const options = sessionOptions(home, SESSION_SETTINGS);
  const values = { user: READER_ROLE, dbname: databaseName, sslmode: 'disable', options };
  return Object.entries(values)
    .map(([name, value]) => `${name}='${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`)
    .join(' ');
}

async function runDump(wants: SchemaWants, args: string[]): Promise<string> {
  const program = nativeDump(wants.programs, wants.series);
  if (program) return runNative(program, wants, args);
  if (wants.series <= WASM_SERIES) return wasmDump({ ...wants, args: ['--host=/server', ...args] });
  throw new EngineRefused(
    `The pg_dump of PostgreSQL ${wants.series} is not on this machine: install its client programs.`,
  );
}

/** The server's own, else the oldest that is newer: it writes least of what an older server does not know. */
function nativeDump(programs: readonly PostgresqlPrograms[], series: number): string | null {
  const fitting = programs
    .filter((each) => each.series >= series)
    .toSorted((left, right) => left.series - right.series)
    .map(({ folder }) => join(folder, 'pg_dump'));
  return fitting.find(isExecutable) ?? null;
}

/** Longer than any catalogue takes; the signal ends it earlier. */
const LONGEST_MS = 3_600_000;

/** Its own words and those of its library; what the server has no memory for begins with ERROR. */
const NO_MEMORY = /^(?:pg_dump: error: )?(?:query failed: )?out of memory/m;

async function runNative(program: string, wants: SchemaWants, args: string[]): Promise<string> {
  const { home, port, limits, signal } = wants;
  // A system without it has pg_dump as it is.
  const prlimit = findProgram(['prlimit'], PROGRAM_PATH);
  const argv = [program, '--no-password', '--host=/proc/self/cwd', `--port=${port}`, ...args] as const;
  // By way of its working directory, since the path to a socket may have 107 bytes at most.
  const { exitCode, stdout, stderr } = await run(
    prlimit ? [prlimit, `--data=${limits.memoryBytes}`, '--', ...argv] : argv,
    { cwd: home, env: { LC_ALL: 'C', TZ: 'UTC' }, timeoutMs: LONGEST_MS, maxOutputBytes: limits.textBytes, signal },
  );
  if (exitCode === 0) return stdout;
  if (NO_MEMORY.test(stderr)) throw new CannotBeDumped(tooLarge(limits));
  throw new EngineRefused(failureOfDump(stderr));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
