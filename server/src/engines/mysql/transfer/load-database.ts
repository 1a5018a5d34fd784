import type { Connection } from 'mysql2';
import type { DatabaseOwner } from '../../engine.ts';
import { StatementTooLong } from '../../script-text.ts';
import { LoadFailed, type LoadOptions, type LoadSummary } from '../../transfer.ts';
import { watchFile, type WatchedFile } from '../../watch-file.ts';
import { AnswerTooLarge } from '../answer-bound.ts';
import { connectAsOwner, connectAsPlatform, type Session } from '../connect.ts';
import { connectLarge, longestLoadedMb } from '../packet-limit.ts';
import { withoutDefiner } from './definers.ts';
import { keepingDates } from './exact-values.ts';
import { withKnownCollations } from './foreign-collations.ts';
import { failureOf } from './load-failure.ts';
import { readScript, type ScriptCommand, type ScriptStatement } from './read-script.ts';
import { runStatement } from './run-statement.ts';
import { ruleFor, withDatabase } from './statement-rules.ts';
import { DUMP_MARKS } from './whole-file.ts';

export interface LoadWants extends LoadOptions {
  home: string;
  /** Of the server. */
  memoryMb: number;
  owner: DatabaseOwner;
  source: AsyncIterable<Buffer>;
}

/**
 * Bytes as they are in both directions: a file may hold texts in several alphabets, and things that are no text. Rows
 * are not looked at, and names of columns are the file's own: no program is made of them.
 */
const READING = { charset: 'BINARY', typeCast: false, rowsAsArray: true, disableEval: true };

/** Runs a script as the owner. Definitions commit by themselves, so half of a script that fails stays. */
export async function loadDatabase(wants: LoadWants): Promise<LoadSummary> {
  const { home, memoryMb, owner, source, signal, onProgress } = wants;
  signal.throwIfAborted();
  const file = watchFile(source, { signal, onProgress, marks: DUMP_MARKS });
  await using session = await connectLarge(home, memoryMb, () => connectAsOwner(home, owner, { reading: READING }));
  const cut = () => session.cut();
  signal.addEventListener('abort', cut);
  try {
    return await loadThrough(session, file, wants);
  } catch (error) {
    session.cut();
    // What the server is still at would go on.
    await endSession(home, session).catch(() => {});
    signal.throwIfAborted();
    throw error instanceof StatementTooLong
      ? new LoadFailed(`${error.message} ${LARGER_TIER}`, { cause: error })
      : error;
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

const LARGER_TIER =
  'That is the most that a server of this size has memory for: choose a larger tier, or write the file with smaller rows.';

async function endSession(home: string, { connection }: Session): Promise<void> {
  await using platform = await connectAsPlatform(home);
  await platform.connection.query(`kill connection ${connection.threadId}`);
}

const FIRST = [
  // mysql2 would follow the file's own settings, and send something else than these bytes.
  "set session_track_system_variables = ''",
  'set names utf8mb4',
  'set foreign_key_checks = 0',
  'set autocommit = 0',
];

/** Rows that are not committed yet can be undone, and that is costly; a commit for each would be so too. */
const COMMIT_EVERY_BYTES = 16 * 1024 ** 2;

async function loadThrough(session: Session, file: WatchedFile, wants: LoadWants): Promise<LoadSummary> {
  const { owner, memoryMb, signal } = wants;
  // The one beneath promises: what it gives can be looked at as it comes.
  const { connection } = session.connection as unknown as { connection: Connection };
  const run = createRun(connection, owner.databaseName);
  for (const statement of FIRST) await runStatement(connection, statement);
  for await (const part of readScript(file.pieces, run.mode, longestLoadedMb(memoryMb) * 1024 ** 2)) {
    signal.throwIfAborted();
    if (part.kind === 'command') obey(part);
    else if (part.text !== '') await run.statement(part);
  }
  if (file.isCutOff()) throw new LoadFailed('The file does not end as it should: it is cut off.');
  await run.commit();
  return run.summary;
}

const UNKNOWN_COLLATION = 1273;
/** In these a byte of a letter may look like a backslash or a quote. */
const AMBIGUOUS = /^(big5|cp932|gbk|gb2312|gb18030|sjis|ucs2|utf16|utf16le|utf32)$/i;

function createRun(connection: Connection, databaseName: string) {
  const summary: LoadSummary = { statements: 0, rows: 0 };
  const mode = { backslashes: true, ansiQuotes: false };
  let source: string | null = null;
  let uncommitted = 0;

  /** One database is loaded, into one; what it was called before does not matter. */
  function mind(database: string, line: number): void {
    if (source !== null && source !== database) {
      throw new LoadFailed(
        `Line ${line}: the file holds several databases (${source}, ${database}): write one with mariadb-dump.`,
      );
    }
    source = database;
  }

  async function statement(part: ScriptStatement): Promise<void> {
    const { line, words } = part;
    const rule = ruleFor(words, part.text);
    if (rule.does === 'refuse') throw new LoadFailed(`Line ${line}: ${rule.why}.`);
    if ('database' in rule) mind(rule.database, line);
    if (rule.does === 'leave out') return;
    refuseAmbiguous(part);
    const text = rule.does === 'rename' ? withDatabase(part.text, databaseName) : textFor(part);
    try {
      await execute(text, words);
    } catch (error) {
      const { errno } = error as { errno?: number };
      const isForgiven = 'forgiven' in rule && errno !== undefined && rule.forgiven.includes(errno);
      if (!isForgiven) throw failureOf(error, line);
    }
    summary.statements++;
  }

  async function execute(text: string, words: readonly string[]): Promise<void> {
    const outcome = await firstThatWorks(text);
    if (outcome.mode) Object.assign(mode, outcome.mode);
    if (words[0] !== 'insert' && words[0] !== 'replace') return;
    summary.rows += outcome.affectedRows;
    uncommitted += text.length;
    if (uncommitted >= COMMIT_EVERY_BYTES) await commit();
  }

  async function firstThatWorks(text: string) {
    try {
      return await runStatement(connection, text);
    } catch (error) {
      if ((error as { errno?: number }).errno !== UNKNOWN_COLLATION) throw error;
      const [newer, older] = withKnownCollations(text);
      if (!newer || !older) throw error;
      return runStatement(connection, newer).catch((reason: unknown) => {
        // Its session takes no other.
        if (reason instanceof AnswerTooLarge) throw reason;
        return runStatement(connection, older);
      });
    }
  }

  async function commit(): Promise<void> {
    uncommitted = 0;
    await runStatement(connection, 'commit').catch((error: unknown) => {
      throw failureOf(error, null);
    });
  }

  return { mode, summary, statement, commit };
}

/** Nothing of them is ever run. */
function obey({ text, line }: ScriptCommand): void {
  if (/^delimiter\s+\S/i.test(text)) return;
  const name = /^\\.|^\S+/s.exec(text)?.[0] ?? '';
  throw new LoadFailed(
    `Line ${line}: ${name} is a command to the mysql client, which does not read this file: take the line out. ` +
      'Only SQL is run.',
  );
}

function refuseAmbiguous({ text, line, words }: ScriptStatement): void {
  if (words[0] !== 'set') return;
  const name = /(?:\bnames|\bcharacter_set_client\s*=|\bcharacter\s+set|\bcharset)\s*'?(\w+)/i.exec(text)?.[1];
  if (name && AMBIGUOUS.test(name)) {
    throw new LoadFailed(`Line ${line}: the file is in ${name}. Write it with --default-character-set=utf8mb4.`);
  }
}

function textFor({ text, words }: ScriptStatement): string {
  if (words[0] === 'set') return keepingDates(text);
  return words.includes('definer') && (words[0] === 'create' || words[0] === 'alter') ? withoutDefiner(text) : text;
}
