import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DatabaseOwner } from '../../engine.ts';
import { LoadFailed, SessionLost, type LoadOptions, type LoadSummary } from '../../transfer.ts';
import { watchFile, type WatchedFile } from '../../watch-file.ts';
import { writeToSink } from '../../write-to-sink.ts';
import { connectAsOwner, connectAsPlatform, type Session } from '../connect.ts';
import { dropRows } from './drop-rows.ts';
import { listenToSocket, socketOf, watchSession, type GoneWithin } from './ended-itself.ts';
import { failureOf } from './load-failure.ts';
import { readLockHolders } from './lock-holders.ts';
import { ruleForCommand } from './psql-commands.ts';
import { readScript, type ScriptPart, type ScriptRows, type ScriptStatement } from './read-script.ts';
import { createSearchPath } from './search-path.ts';
import { ruleFor, UNDEFINED } from './statement-rules.ts';
import { DUMP_MARKS } from './whole-file.ts';

export interface LoadWants extends LoadOptions {
  home: string;
  isGoneWithin: GoneWithin;
  owner: DatabaseOwner;
  source: AsyncIterable<Buffer>;
  /** How long a statement waits for whoever holds what it changes. */
  lockWaitMs: number;
}

const SESSION_SETTINGS = {
  statement_timeout: '0',
  // A warning tells that another session's process has died, and this one with it.
  client_min_messages: 'warning',
  standard_conforming_strings: 'on',
  // When this process is killed nobody is left to commit.
  client_connection_check_interval: '1000',
};

/** Runs a script as the owner, all of it or nothing. */
export async function loadDatabase(wants: LoadWants): Promise<LoadSummary> {
  const { home, owner, source, signal, onProgress, lockWaitMs } = wants;
  signal.throwIfAborted();
  const file = watchFile(source, { signal, onProgress, marks: DUMP_MARKS });
  const settings = { ...SESSION_SETTINGS, lock_timeout: `${lockWaitMs}ms` };
  await using session = await connectAsOwner(home, owner, { settings });
  const cut = () => session.cut();
  signal.addEventListener('abort', cut);
  try {
    return await loadThrough(session, file, wants);
  } catch (error) {
    const holders = isLockedOut(error) ? await holdersIn(wants).catch(() => []) : [];
    // Undone by the server, which waits for nothing more.
    session.cut();
    signal.throwIfAborted();
    if (isLockedOut(error)) throw lockedOut(error, holders);
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

/** Trying again would end the server again, and with it the sessions of everybody. */
const endedOver = ({ line, cause }: SessionLost): LoadFailed =>
  new LoadFailed(
    `Line ${line}: the server ended the session at this statement, most likely because a row of it needs more memory ` +
      'than the tier has. Choose a larger tier, or spread what is in the row over several.',
    { cause },
  );

const isLockedOut = (error: unknown): error is LoadFailed =>
  error instanceof LoadFailed && / due to lock timeout/.test(error.message);

const lockedOut = (error: LoadFailed, holders: readonly string[]): LoadFailed =>
  new LoadFailed(
    `${error.message}. Another session has what this statement needs: ` +
      `${holders.length > 0 ? `it may be ${holders.join('; or ')}` : 'it is gone by now'}. End its transaction, or the ` +
      'session with pg_terminate_backend, then import again.',
    { cause: error },
  );

async function holdersIn({ home, owner: { databaseName } }: LoadWants): Promise<string[]> {
  await using platform = await connectAsPlatform(home, databaseName);
  return await readLockHolders(platform.client, databaseName);
}

async function loadThrough(
  { client }: Session,
  file: WatchedFile,
  { signal, isGoneWithin, onTransaction, onCommitted }: LoadWants,
): Promise<LoadSummary> {
  await client.query('begin');
  await onTransaction?.(await transactionOf(client));
  dropRows(socketOf(client));
  const hasEndedItself = watchSession(isGoneWithin, listenToSocket(client));
  const run = createRun(client, signal);
  await run.parts(readScript(file.pieces, run.mode)).catch(async (error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof SessionLost && (await hasEndedItself(error.cause)) ? endedOver(error) : error;
  });
  if (file.isCutOff()) throw new LoadFailed('The file does not end as it should: it is cut off.');
  // What can be deferred is checked here, while it can still be said that the file is at fault.
  await run.plainly('set constraints all immediate');
  await run.plainly('commit');
  await onCommitted?.();
  // Without it the first questions would be answered slowly; that is all, so nobody is waited for.
  await analyze(client).catch(() => signal.throwIfAborted());
  return run.summary;
}

async function analyze(client: pg.Client): Promise<void> {
  await client.query("set lock_timeout = '1s'; set statement_timeout = '5min'");
  await client.query('analyze (skip_locked)');
}

async function transactionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_catalog.pg_current_xact_id()::text as id');
  return rows[0]?.id ?? '';
}

/** Databases that every server has; nobody's data is expected in them. */
const EVERYWHERE = ['postgres', 'template1'];

function createRun(client: pg.Client, signal: AbortSignal) {
  const summary: LoadSummary = { statements: 0, rows: 0 };
  const mode = { backslashes: false };
  /** Extensions that could not be made; what fails later may fail for that. */
  const lacking: string[] = [];
  const path = createSearchPath(client);
  let source: string | null = null;

  async function parts(script: AsyncGenerator<ScriptPart>): Promise<void> {
    for await (const part of script) {
      signal.throwIfAborted();
      if (part.kind === 'command') obey(part);
      else if (part.kind === 'statement') await runStatement(part, script);
    }
  }

  function obey({ text, line, isWithin }: { text: string; line: number; isWithin: boolean }): void {
    const rule = ruleForCommand(text);
    if (rule.does === 'refuse') throw new LoadFailed(`Line ${line}: ${rule.why}.`);
    if (isWithin) throw new LoadFailed(`Line ${line}: a command to psql stands within a statement: take it out.`);
    if (rule.does === 'skip' || EVERYWHERE.includes(rule.databaseName)) return;
    if (source !== null && source !== rule.databaseName) {
      throw new LoadFailed(
        `Line ${line}: the file holds several databases (${source}, ${rule.databaseName}): write one with pg_dump.`,
      );
    }
    source = rule.databaseName;
  }

  async function runStatement(statement: ScriptStatement, script: AsyncGenerator<ScriptPart>): Promise<void> {
    const rule = ruleFor(statement.words);
    if (rule.does === 'refuse') throw new LoadFailed(`Line ${statement.line}: ${rule.why}.`);
    minds(statement);
    if (rule.does === 'leave out') return;
    try {
      if (statement.takesRows) summary.rows += await path.asUsual(() => copy(statement, script));
      else if ('forgiven' in rule) await attempt(statement, rule.forgiven);
      else if (path.matters(statement)) await executeSomehow(statement);
      else summary.rows += await execute(statement);
      path.follow(statement);
    } catch (error) {
      throw failureOf(error, statement, lacking);
    }
    summary.statements++;
  }

  /** What a statement says of the file itself. */
  function minds({ text, line, words }: ScriptStatement): void {
    if (words[0] !== 'set') return;
    if (words.includes('standard_conforming_strings')) mode.backslashes = /\b(off|false|no|0)\b/i.test(text);
    const encoding = /client_encoding\s*(?:=|to)\s*'?([\w-]+)|\bnames\s+'?([\w-]+)/i.exec(text);
    const name = encoding?.[1] ?? encoding?.[2];
    if (name && !/^(utf-?8|unicode|sql_ascii|default)$/i.test(name)) {
      throw new LoadFailed(`Line ${line}: the file is in ${name}. Write it with pg_dump --encoding=UTF8.`);
    }
  }

  async function attempt(statement: ScriptStatement, forgiven: readonly string[]): Promise<void> {
    await client.query('savepoint lilac_attempt');
    try {
      summary.rows += await execute(statement);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !forgiven.includes(error.code ?? '')) throw error;
      await client.query('rollback to savepoint lilac_attempt');
      if (statement.words[1] === 'extension') lacking.push(error.message);
    }
    await client.query('release savepoint lilac_attempt');
  }

  /** As it stands; and if something is missing then, as functions are usually run. */
  async function executeSomehow(statement: ScriptStatement): Promise<void> {
    await client.query('savepoint lilac_attempt');
    try {
      await execute(statement);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !UNDEFINED.includes(error.code ?? '')) throw error;
      await client.query('rollback to savepoint lilac_attempt');
      await path.asUsual(() => execute(statement));
    }
    await client.query('release savepoint lilac_attempt');
  }

  /** Gives how many rows it wrote. One statement and no more: that is how the server takes it. */
  async function execute({ text, words }: Pick<ScriptStatement, 'text' | 'words'>): Promise<number> {
    const { rowCount } = await client.query({ text, queryMode: 'extended' } as pg.QueryConfig);
    return words[0] === 'insert' ? (rowCount ?? 0) : 0;
  }

  /** Gives how many rows came. */
  async function copy(statement: ScriptStatement, script: AsyncGenerator<ScriptPart>): Promise<number> {
    if (/\bbinary\b/i.test(statement.text))
      throw new LoadFailed(`Line ${statement.line}: rows must be text, not binary.`);
    const target = client.query(copyFrom(statement.text));
    const failed = new Promise<never>((_resolve, reject) => target.once('error', reject));
    failed.catch(() => {});
    const sink = writeToSink(target, signal);
    const send = async () => {
      for (;;) {
        const { bytes, isLast } = (await script.next()).value as ScriptRows;
        if (bytes.length > 0) await sink.write(bytes);
        if (isLast) break;
      }
      await new Promise<void>((resolve) => target.end(resolve));
    };
    await Promise.race([send(), failed]);
    return target.rowCount;
  }

  const plainly = (text: string) =>
    execute({ text, words: [] }).catch((error: unknown) => {
      throw failureOf(error, null, lacking);
    });

  return { mode, summary, parts, plainly };
}
