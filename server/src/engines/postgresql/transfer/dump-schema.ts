import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../lib/exec.ts';
import { CROWDED } from '../../crowded.ts';
import { EngineRefused } from '../../engine.ts';
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
  signal: AbortSignal;
}

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
    // Nothing else of what it does has a limit.
    const isLocked = error instanceof EngineRefused && /due to (?:lock|statement) timeout/.test(error.message);
    if (isLocked) throw new StillMoving(error.message);
    throw error instanceof EngineRefused && NO_PLACE.test(error.message) ? new EngineRefused(CROWDED) : error;
  }
}

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

async function runNative(program: string, wants: SchemaWants, args: string[]): Promise<string> {
  const { home, port, signal } = wants;
  // By way of its working directory, since the path to a socket may have 107 bytes at most.
  const { exitCode, stdout, stderr } = await run(
    [program, '--no-password', '--host=/proc/self/cwd', `--port=${port}`, ...args],
    { cwd: home, env: { LC_ALL: 'C', TZ: 'UTC' }, timeoutMs: LONGEST_MS, signal },
  );
  if (exitCode === 0) return stdout;
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
