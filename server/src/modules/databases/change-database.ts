import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../db/pool.ts';
import type { DatabaseRow, DatabaseServerRow } from '../../db/schema.ts';
import { EngineRefused } from '../../engines/engine.ts';
import type { EndedJob, JobContext } from '../../jobs/job.ts';
import type { DatabaseJobsDeps } from './database-jobs-deps.ts';
import { advance, findDatabase, lockDatabase, setProgress, updateDatabase } from './database-store.ts';
import { CHANGE_ATTEMPTS, type OfDatabase, type Resting, type ServerColumns } from './job-kinds.ts';
import { stepTeller, whileWanted, type TellStep } from './progress.ts';
import { serversOf } from './server-store.ts';
import { specOf } from './spec-of.ts';
import { tellEvent } from './tell-event.ts';

type Payload = OfDatabase & { before: ServerColumns & Resting };

const ANSWER_MS = 10_000;

/** Makes the servers what the row says. What cannot be done is taken back: the database is then as it was. */
export function changeDatabase(
  deps: DatabaseJobsDeps,
  { databaseId, before }: Payload,
  { signal, attempt }: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  return deps.locks.hold(databaseId, () =>
    whileWanted(async () => {
      const database = await findDatabase(deps.store.db, databaseId);
      if (database?.status !== 'updating') return;
      const tell = stepTeller(deps.store.db, database, signal);
      try {
        await apply(deps, { from: before, to: database, tell, signal });
        await settle(deps, database, before);
      } catch (error) {
        if (attempt < CHANGE_ATTEMPTS || signal.aborted) throw error;
        await applyAgain(deps, { database, before, signal });
        if (!(error instanceof EngineRefused)) throw error;
        deps.log.warn({ err: error, database: databaseId }, 'a database could not be changed');
        const { message } = error;
        await deps.store.db.transaction().execute((tx) => takeBack(tx, { databaseId, before, error: message }));
      }
    }),
  );
}

interface Application {
  from: ServerColumns;
  to: DatabaseRow;
  tell: TellStep;
  signal: AbortSignal;
}

/** Each part may be repeated. What needs no restart comes first, so that a restart finds it done. */
async function apply(deps: DatabaseJobsDeps, { from, to, tell, signal }: Application): Promise<void> {
  const engine = deps.engines[to.database_type];
  // One that is not whole yet is made as the row says by whoever makes it.
  const servers = (await serversOf(deps.store.db, to.id)).filter(({ is_made }) => is_made);
  // One that does not start may want nothing but room.
  if (to.storage_gb !== from.storage_gb) {
    await tell('growing storage', 10);
    for (const { id } of servers) await engine.grow(id, to.storage_gb);
  }
  // It was down, or an earlier attempt has ended between a stop and a start.
  for (const server of servers) {
    if (!engine.isRunning(server.id)) await engine.start(specOf(deps.config, to, server), signal);
  }
  if (accessDiffers(from, to)) for (const server of servers) await engine.setAccess(specOf(deps.config, to, server));
  if (to.tier !== from.tier) {
    await tell('restarting the server', 30);
    for (const server of standbysFirst(servers)) await restart(deps, { database: to, server, signal });
  }
  if (to.ha_enabled && !from.ha_enabled) {
    await tell('starting the standby', 60);
    await deps.standbys.add(to.id, signal);
  }
  if (!to.ha_enabled && from.ha_enabled) await deps.standbys.remove(to.id);
  await tell('checking', 90);
  const [primary] = await serversOf(deps.store.db, to.id);
  await engine.probe(specOf(deps.config, to, primary!), ANSWER_MS);
  signal.throwIfAborted();
}

const accessDiffers = (one: ServerColumns, other: ServerColumns): boolean =>
  one.public_ip_enabled !== other.public_ip_enabled ||
  !isDeepStrictEqual(one.authorized_networks, other.authorized_networks);

/** While one of the two restarts, commits wait for it and nothing is lost. */
const standbysFirst = (servers: readonly DatabaseServerRow[]) =>
  servers.toSorted((one, other) => Number(one.role === 'primary') - Number(other.role === 'primary'));

async function restart(
  { engines, config }: DatabaseJobsDeps,
  { database, server, signal }: { database: DatabaseRow; server: DatabaseServerRow; signal: AbortSignal },
): Promise<void> {
  const engine = engines[database.database_type];
  await engine.stop(server.id);
  await engine.start(specOf(config, database, server), signal);
}

/** It is as well as its servers are; the keeper, who looks all the time, says so too. */
async function settle(deps: DatabaseJobsDeps, { id }: DatabaseRow, before: Payload['before']): Promise<void> {
  await deps.store.db.transaction().execute(async (tx) => {
    const database = await lockDatabase(tx, id);
    if (database?.status !== 'updating') return;
    const servers = await serversOf(tx, id);
    const lacksStandby = database.ha_enabled && !servers.some(({ role, is_made }) => role === 'standby' && is_made);
    const isStillFull = database.is_full && database.storage_gb === before.storage_gb;
    const isWell = before.status === 'failed' || !(lacksStandby || isStillFull);
    const { status, error } = isWell ? ({ status: 'healthy', error: null } as const) : before;
    await setProgress(tx, id, { status, error, step: 'settled', percent: 100 });
  });
}

const toNobody: TellStep = () => Promise.resolve();

/** Best effort: whatever still fails, the keeper tries again and again, since the row will say what was before. */
async function applyAgain(
  deps: DatabaseJobsDeps,
  { database, before, signal }: { database: DatabaseRow; before: ServerColumns; signal: AbortSignal },
): Promise<void> {
  const goal = { ...database, ...before, storage_gb: database.storage_gb };
  await apply(deps, { from: database, to: goal, tell: toNobody, signal }).catch((error: unknown) => {
    deps.log.warn({ err: error, database: database.id }, 'a database could not be made what it was');
  });
}

/** However its job ended, the database does not stay in a moving state. */
export async function endChange(tx: Tx, { databaseId, before }: Payload, end: EndedJob): Promise<void> {
  if (end.state === 'done') return;
  const error = `something went wrong on our side (job ${end.jobId}). Try again; if that fails too, ask the operator.`;
  await takeBack(tx, { databaseId, before, error });
}

async function takeBack(tx: Tx, { databaseId, before, error }: Payload & { error: string }): Promise<void> {
  const database = await lockDatabase(tx, databaseId);
  if (database?.status !== 'updating') return;
  const { status, error: _earlier, ...columns } = before;
  await updateDatabase(tx, databaseId, columns);
  const told = `The change failed, and all is as it was before: ${error}`;
  await advance(tx, databaseId, 'updating', { status, error: told, step: 'settled', percent: 100 });
  await tellEvent(tx, database, 'database_change_failed');
}
