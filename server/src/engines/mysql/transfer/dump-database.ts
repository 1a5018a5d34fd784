import { once } from 'node:events';
import { start, type ChildProcess } from '../../../lib/exec.ts';
import { findProgram } from '../../../lib/find-program.ts';
import { PROGRAM_PATH } from '../../../sandbox/launch.ts';
import { CROWDED } from '../../crowded.ts';
import { EngineRefused } from '../../engine.ts';
import { StatementTooLong } from '../../script-text.ts';
import { CannotBeDumped, type DumpSummary } from '../../transfer.ts';
import { writeToSink, type Sink } from '../../write-to-sink.ts';
import { longestDumpedMb } from '../packet-limit.ts';
import { isOlder } from '../programs.ts';
import { openAskingAside, type AskingAside } from './asking-aside.ts';
import { findBrokenViews, inComments, type BrokenView } from './broken-views.ts';
import { readDatabaseSettings } from './database-settings.ts';
import { withoutDefiner } from './definers.ts';
import { openDumpAccount, type DumpAccount } from './dump-account.ts';
import { openExactReading, type ExactReading } from './exact-reading.ts';
import { keepingDates } from './exact-values.ts';
import { LOCKED_OUT, lockedWords } from './lock-wait.ts';
import { modeAfter } from './mode-after.ts';
import { withoutDatabase } from './own-names.ts';
import { readScript, type ScriptStatement } from './read-script.ts';
import { DUMP_BEGINS, dumpEnds } from './whole-file.ts';

export interface DumpWants {
  home: string;
  /** Of the server. */
  series: string;
  memoryMb: number;
  databaseName: string;
  lockWaitSeconds: number;
  /** Where its socket is for a moment. */
  runFolder: string;
  sink: NodeJS.WritableStream;
  signal: AbortSignal;
}

const MISSING =
  'mariadb-dump is not installed on this machine: install the package mariadb-client of the distribution.';

export async function dumpDatabase(wants: DumpWants): Promise<DumpSummary> {
  const { home, signal, lockWaitSeconds } = wants;
  signal.throwIfAborted();
  const program = findProgram(['mariadb-dump', 'mysqldump'], PROGRAM_PATH);
  if (!program) throw new EngineRefused(MISSING);
  await using account = await openDumpAccount(home, wants.databaseName);
  const broken = await findBrokenViews(home, wants.databaseName, { account, lockWaitSeconds });
  const settings = await readDatabaseSettings(home, wants.databaseName, account);
  await using exact = await openExactReading(home, wants.databaseName, { account, lockWaitSeconds });
  await using aside = await openAskingAside(home, { runFolder: wants.runFolder, change: exact.change });
  const child = start([program, ...argumentsFor(wants, { account, socketName: aside.socketName, leftOut: broken })], {
    cwd: aside.folder,
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC', MYSQL_PWD: account.password },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  try {
    return await carry(child, wants, { settings, remarks: inComments(broken) });
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, { aside, exact, wants });
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** What a server says to whom it has no place for. */
const NO_PLACE = /Too many connections/;

function failureOf(
  error: unknown,
  { aside, exact, wants }: { aside: AskingAside; exact: ExactReading; wants: DumpWants },
): unknown {
  if (error instanceof StatementTooLong)
    return new CannotBeDumped(tooLarge(longestDumpedMb(wants.memoryMb)), { cause: error });
  if (aside.failure() !== null) return aside.failure();
  if (!(error instanceof EngineRefused)) return error;
  if (LOCKED_OUT.test(error.message))
    return new EngineRefused(lockedWords(exact.table(), wants.lockWaitSeconds), { cause: error });
  return NO_PLACE.test(error.message) ? new EngineRefused(CROWDED) : error;
}

function argumentsFor(
  { databaseName, series }: DumpWants,
  { account, socketName, leftOut }: { account: DumpAccount; socketName: string; leftOut: readonly BrokenView[] },
): string[] {
  return [
    '--no-defaults',
    // In its working directory, since the path to a socket may have 107 bytes at most.
    `--socket=${socketName}`,
    '--skip-ssl',
    `--user=${account.user}`,
    '--default-character-set=utf8mb4',
    '--single-transaction',
    '--skip-lock-tables',
    '--quick',
    '--routines',
    '--triggers',
    '--events',
    '--hex-blob',
    '--no-tablespaces',
    '--skip-comments',
    '--max-allowed-packet=1G',
    ...(isOlder(series, '10.11') ? [] : ['--dump-history']),
    ...leftOut.map(({ name }) => `--ignore-table=${databaseName}.${name}`),
    '--',
    databaseName,
  ];
}

async function carry(
  child: ChildProcess,
  { databaseName, memoryMb, sink: stream, signal }: DumpWants,
  { settings, remarks }: { settings: string; remarks: string },
): Promise<DumpSummary> {
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  closed.catch(() => {});
  const words = lastWordsOf(child);
  const sink = writeToSink(stream, signal);
  const summary: DumpSummary = { tables: 0, rows: 0 };
  await sink.write(DUMP_BEGINS + settings);
  const mode = { backslashes: true, ansiQuotes: false };
  const longestBytes = longestDumpedMb(memoryMb) * 1024 ** 2;
  for await (const part of readScript(child.stdout as AsyncIterable<Buffer>, mode, longestBytes)) {
    await writeBytes(sink, part.before);
    if (part.kind === 'command') await writeBytes(sink, part.text);
    else {
      count(part, summary);
      await writeBytes(sink, textFor(part, databaseName));
      await writeBytes(sink, part.after);
      Object.assign(mode, modeAfter(part, mode));
    }
  }
  const [code] = await closed;
  if (code !== 0) throw new EngineRefused(`mariadb-dump failed: ${words() || 'it said nothing'}`);
  await sink.write(remarks + dumpEnds(summary));
  return summary;
}

const AT_A_TIME = 1024 ** 2;

/** A statement may be large, and need not be there twice. */
async function writeBytes(sink: Sink, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += AT_A_TIME) {
    await sink.write(Buffer.from(text.slice(at, at + AT_A_TIME), 'latin1'));
  }
}

const tooLarge = (longestMb: number): string =>
  `A row of this database takes more than ${longestMb} MB as text, which is more than a server of its size could load ` +
  'again. Spread what is in it over several rows, or choose a larger tier, then try again.';

function count({ words, rows }: ScriptStatement, summary: DumpSummary): void {
  summary.rows += rows;
  if (words[0] === 'create' && words[1] === 'table') summary.tables++;
}

/** What it says of where it comes from would not be true elsewhere. */
function textFor({ text, words }: ScriptStatement, databaseName: string): string {
  if (words[0] === 'set') return keepingDates(text);
  if (words[0] !== 'create') return text;
  if (words[1] === 'table') return withoutDatabase(text, databaseName);
  return words.includes('definer') ? withoutDefiner(text) : text;
}

const LAST_WORDS_LENGTH = 1000;

function lastWordsOf({ stderr }: ChildProcess): () => string {
  let words = '';
  stderr?.setEncoding('utf8').on('data', (piece: string) => {
    words = (words + piece).slice(-LAST_WORDS_LENGTH);
  });
  return () => words.trim();
}
