import type { Tx } from '../../../db/pool.ts';
import { EngineRefused } from '../../../engines/engine.ts';
import { CannotBeDumped, LoadFailed } from '../../../engines/transfer.ts';
import type { EndedJob, JobContext } from '../../../jobs/job.ts';
import { ObjectMissing } from '../../../objects/object-store.ts';
import { advance, findDatabase, lockDatabase } from '../database-store.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import type { OfDatabase, Settled } from '../job-kinds.ts';
import { hasOtherPassword, OTHER_PASSWORD } from '../other-password.ts';
import { openPassword } from '../password.ts';
import { serversOf } from '../server-store.ts';
import { withShutDoors } from '../shut-doors.ts';
import { specOf } from '../spec-of.ts';
import { tellEvent } from '../tell-event.ts';
import { deleteBackup, findSafety, keepSafety } from './backup-store.ts';
import {
  deleteImport,
  findImport,
  noteLoaded,
  noteOutcome,
  noteTransaction,
  type ImportUnderWay,
} from './import-store.ts';
import { IMPORT_ATTEMPTS } from './job-kinds.ts';
import { loadObject, type Target } from './load-object.ts';
import { failureOf, forgetLosses } from './lost-sessions.ts';
import { NotPutBack, putBack } from './put-back.ts';
import { withinTime } from './time-limit.ts';
import { StillRead, untilNoneReads } from './until-none-reads.ts';
import { writeSafety } from './write-safety.ts';

export type ImportPayload = OfDatabase & { before: Settled };

/**
 * Runs an uploaded dump. It happens whole or not at all: PostgreSQL does it in one transaction, and what MySQL had
 * before is put back. The keeper goes on watching meanwhile: an import may run into the end of the storage.
 */
export async function runImport(
  deps: DatabaseWorkDeps,
  { databaseId, before }: ImportPayload,
  { signal, attempt }: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  const entry = await findImport(deps.store.db, databaseId);
  const target = await findTarget(deps, databaseId);
  if (!entry || !target) return;
  let error: string | null = null;
  try {
    if (!entry.is_loaded) await withinTime(signal, (limited) => load(deps, { entry, target, signal, limited }));
    // Before people get in: what they write from then on must never give way to what was there before.
    await noteLoaded(deps.store.db, databaseId);
  } catch (failure) {
    const isLast = attempt >= IMPORT_ATTEMPTS;
    const why = whyRefused(failure) ?? (isLast ? await giveUp(deps, { target, failure, signal }) : null);
    if (why === null) {
      if (!signal.aborted) await tellTrouble(deps, databaseId, failure);
      throw failure;
    }
    error = `The import failed, and nothing was changed: ${why}`;
  }
  await openAgain(deps, target);
  forgetLosses(entry.upload_id);
  await end(deps, { entry, before, error });
}

/** What trying again would not mend; null for the rest. */
function whyRefused(failure: unknown): string | null {
  const isFinal = [LoadFailed, ObjectMissing, CannotBeDumped, StillRead].some((kind) => failure instanceof kind);
  if (isFinal) return (failure as Error).message;
  return hasOtherPassword(failure) ? OTHER_PASSWORD : null;
}

/**
 * Nobody comes after this attempt, so it leaves the database as it was before the import, and says why; or null, where
 * that cannot be done either, and then people are let in to what there is.
 */
async function giveUp(
  deps: DatabaseWorkDeps,
  { target, failure, signal }: { target: Target; failure: unknown; signal: AbortSignal },
): Promise<string | null> {
  try {
    const entry = await findImport(deps.store.db, target.database.id);
    // People may have written since.
    const isIn = !entry || entry.is_loaded || (await isCommitted(deps, entry, target));
    if (!isIn) {
      if (!isAtomic(target)) await putBack(deps, shut(target), signal);
      return wordsOf(failure);
    }
  } catch (error) {
    deps.log.error({ err: error, database: target.database.id }, 'an import is given up half-way');
  }
  await openAgain(deps, target);
  return null;
}

/** It is tried again; whoever waits meanwhile reads what for. */
async function tellTrouble({ store, log }: DatabaseWorkDeps, databaseId: string, failure: unknown): Promise<void> {
  const error =
    failure instanceof NotPutBack
      ? `The import failed, and what was there before could not be put back yet: ${wordsOf(failure.cause)} ` +
        'It is kept, and tried again until it is back; nobody is let in meanwhile.'
      : `The import has not got through yet, and is tried again: ${wordsOf(failure)}`;
  log.error({ err: failure, database: databaseId }, 'an import is tried again');
  await advance(store.db, databaseId, 'updating', { error });
}

/** What a server or a file said can be told; what else went wrong is ours. */
const wordsOf = (failure: unknown): string =>
  failure instanceof EngineRefused || failure instanceof LoadFailed
    ? failure.message.replace(/[^.!?…]$/, '$&.')
    : 'something went wrong on our side.';

interface Loading {
  entry: ImportUnderWay;
  target: Target;
  signal: AbortSignal;
  /** Aborted too when the file has had its time. */
  limited: AbortSignal;
}

async function load(deps: DatabaseWorkDeps, loading: Loading): Promise<void> {
  const { entry, target, signal, limited } = loading;
  if (isAtomic(target)) return loadAtomically(deps, loading);
  await untilNoneReads(deps, { databaseId: target.database.id, signal });
  // What people write meanwhile would be gone where the import fails, so nobody gets in.
  const closed = shut(target);
  await shutDoors(deps, closed);
  // An earlier attempt was killed while it wrote: what was there before it comes first.
  await putBack(deps, closed, signal);
  await writeSafety(deps, { ...closed, signal });
  try {
    await loadObject(deps, { key: entry.storage_path, target: closed, signal: limited, tell: true });
  } catch (error) {
    const failure = failureOf(entry.upload_id, error);
    if (failure instanceof LoadFailed || failure instanceof ObjectMissing) await putBack(deps, closed, signal);
    throw failure;
  }
}

/** As long as it is at it: whatever is asked of the engine with this lets nobody in. */
const shut = (target: Target): Target => ({ ...target, spec: withShutDoors(target.spec) });

/**
 * Alone with the database: whoever is about to start the server, or to let people in, has read the rows before they
 * said that it is shut. A server that does not run cannot be told, and comes up as the keeper says.
 */
async function shutDoors({ engines, locks }: DatabaseWorkDeps, { database, spec }: Target): Promise<void> {
  const engine = engines[database.database_type];
  await locks.hold(database.id, async () => {
    if (!engine.isRunning(spec.id)) throw new EngineRefused('Its server is down and is being started again.');
    await engine.setAccess(spec);
  });
}

const isAtomic = ({ database }: Target): boolean => database.database_type === 'postgresql';

async function openAgain({ engines }: DatabaseWorkDeps, target: Target): Promise<void> {
  if (!isAtomic(target)) await engines[target.database.database_type].setAccess(target.spec);
}

async function loadAtomically(deps: DatabaseWorkDeps, { entry, target, limited: signal }: Loading): Promise<void> {
  // An earlier attempt may have come to its end without anybody having noted it.
  if (await isCommitted(deps, entry, target)) return;
  const onTransaction = (id: string) => noteTransaction(deps.store.db, target.database.id, id);
  const onCommitted = () => noteLoaded(deps.store.db, target.database.id);
  try {
    await loadObject(deps, { key: entry.storage_path, target, signal, tell: true, onTransaction, onCommitted });
  } catch (error) {
    throw failureOf(entry.upload_id, error);
  }
}

async function isCommitted(
  { engines }: DatabaseWorkDeps,
  { transaction_id: id }: ImportUnderWay,
  { database, spec }: Target,
): Promise<boolean> {
  return id !== null && (await engines[database.database_type].hasCommitted(spec, id));
}

/** The file that would be put back goes in the transaction that says how it ended: it is needed until then. */
async function end(
  { store, objects }: DatabaseWorkDeps,
  { entry, before, error }: { entry: ImportUnderWay; before: Settled; error: string | null },
): Promise<void> {
  const databaseId = entry.database_id;
  const safety = await findSafety(store.db, databaseId);
  await store.db.transaction().execute(async (tx) => {
    const database = await lockDatabase(tx, databaseId);
    if (!database) return;
    await deleteImport(tx, databaseId);
    if (safety) await deleteBackup(tx, safety.id);
    await noteOutcome(tx, databaseId, { uploadId: entry.upload_id, error });
    const isOver = await advance(tx, databaseId, 'updating', { ...before, error, step: 'settled', percent: 100 });
    if (isOver) await tellEvent(tx, database, error !== null ? 'database_import_failed' : 'database_imported');
  });
  await objects.remove(entry.storage_path);
  if (safety) await objects.remove(safety.object_key);
}

/** Given up: after so many attempts, or by somebody who stopped it. */
export async function endImport(tx: Tx, { databaseId }: ImportPayload, end: EndedJob): Promise<void> {
  if (end.state === 'done') return;
  const database = await lockDatabase(tx, databaseId);
  if (database?.status !== 'updating') return;
  const entry = await findImport(tx, databaseId);
  await deleteImport(tx, databaseId);
  const isKept = await keepSafety(tx, databaseId);
  const advice = isKept
    ? 'What was there before is among its backups: restore it.'
    : 'Look at your data before you go on.';
  const error = `The import failed: something went wrong on our side (job ${end.jobId}). ${advice}`;
  if (entry) await noteOutcome(tx, databaseId, { uploadId: entry.upload_id, error });
  await advance(tx, databaseId, 'updating', { status: 'degraded', step: 'settled', percent: 100, error });
  await tellEvent(tx, database, 'database_import_failed');
}

async function findTarget(
  { store, config, keyring }: Pick<DatabaseWorkDeps, 'store' | 'config' | 'keyring'>,
  databaseId: string,
): Promise<Target | null> {
  const database = await findDatabase(store.db, databaseId);
  const [primary] = await serversOf(store.db, databaseId);
  if (database?.status !== 'updating' || !primary) return null;
  const { database_name: databaseName, admin_user: user } = database;
  const owner = { databaseName, user, password: openPassword(keyring, database) };
  return { database, spec: specOf(config, database, primary), owner };
}
