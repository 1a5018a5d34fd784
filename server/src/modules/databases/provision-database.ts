import type { Tx } from '../../db/pool.ts';
import type { DatabaseRow, DatabaseServerRow } from '../../db/schema.ts';
import { EngineRefused } from '../../engines/engine.ts';
import { isPortFree } from '../../engines/port-free.ts';
import { CannotBeRestored } from '../../engines/transfer.ts';
import type { EndedJob, JobContext } from '../../jobs/job.ts';
import { allocatePort } from './allocate-port.ts';
import { assertDataHere, DataElsewhere } from './data-elsewhere.ts';
import type { DatabaseJobsDeps } from './database-jobs-deps.ts';
import { advance, changeDatabasePort, findDatabase, lockDatabase, tellChange } from './database-store.ts';
import { PROVISION_ATTEMPTS, type OfDatabase } from './job-kinds.ts';
import { openPassword } from './password.ts';
import { stepTeller, whileWanted } from './progress.ts';
import { changeServerPort, markMade, serversOf } from './server-store.ts';
import { withShutDoors } from './shut-doors.ts';
import { specOf } from './spec-of.ts';

const ANSWER_MS = 10_000;

/** From rows to a server that answers. Whatever an earlier attempt has done is found done. */
export function provisionDatabase(
  deps: DatabaseJobsDeps,
  { databaseId }: OfDatabase,
  { signal, attempt }: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  return deps.locks.hold(databaseId, () =>
    whileWanted(async () => {
      try {
        await provision(deps, databaseId, signal);
      } catch (error) {
        const isHopeless = error instanceof CannotBeRestored || error instanceof DataElsewhere;
        const isFinal = isHopeless || attempt >= PROVISION_ATTEMPTS;
        if (!(error instanceof EngineRefused) || !isFinal || signal.aborted) throw error;
        deps.log.warn({ err: error, database: databaseId }, 'a database could not be set up');
        await fail(deps.store.db, databaseId, error.message);
      }
    }),
  );
}

async function provision(deps: DatabaseJobsDeps, databaseId: string, signal: AbortSignal): Promise<void> {
  const { store, config, keyring, engines } = deps;
  const found = await findDatabase(store.db, databaseId);
  if (found?.status !== 'provisioning') return;
  const engine = engines[found.database_type];
  const tell = stepTeller(store.db, found, signal);
  await tell('preparing files', 10);
  const [server] = await serversOf(store.db, databaseId);
  if (!server) throw new Error(`The database ${databaseId} has no server`);
  // Where it is not, its port is not this machine's to change.
  await assertDataHere(engine, server);
  const { database, primary } = await atFreePort(deps, found, server);
  const spec = specOf(config, database, primary);
  const isRestored = database.restore_from !== null;
  // What somebody wrote before all of the backup is back, another attempt would drop.
  const atFirst = isRestored ? withShutDoors(spec) : spec;
  await engine.create(atFirst);
  await tell('starting the server', 40);
  await engine.start(atFirst, signal);
  await tell('creating accounts', 50);
  const { database_name: databaseName, admin_user: user } = database;
  await engine.createDatabase(atFirst, { databaseName, user, password: openPassword(keyring, database) });
  if (isRestored) {
    await tell('importing', 60);
    await deps.transfers.restore(databaseId, signal);
    await engine.setAccess(spec);
  }
  await markMade(store.db, primary.id);
  if (database.ha_enabled) {
    await tell('starting the standby', 70);
    await deps.standbys.add(databaseId, signal);
  }
  await tell('checking', 90);
  await engine.probe(spec, ANSWER_MS);
  signal.throwIfAborted();
  await advance(store.db, databaseId, 'provisioning', {
    status: 'healthy',
    step: 'settled',
    percent: 100,
    error: null,
  });
}

/** Somebody else may have taken the port since it was chosen: then it gets another one. Nobody has connected yet. */
async function atFreePort(
  { store, config, engines }: DatabaseJobsDeps,
  database: DatabaseRow,
  primary: DatabaseServerRow,
): Promise<{ database: DatabaseRow; primary: DatabaseServerRow }> {
  const isFine = engines[database.database_type].isRunning(primary.id) || (await isPortFree(primary.port));
  if (isFine || database.port !== primary.port) return { database, primary };
  return store.db.transaction().execute(async (tx) => {
    const port = await allocatePort(tx, config);
    await changeDatabasePort(tx, database.id, port);
    await changeServerPort(tx, primary.id, port);
    await tellChange(tx, database.id);
    return { database: { ...database, port }, primary: { ...primary, port } };
  });
}

/** However its job ended, the database does not stay in a moving state. */
export async function endProvisioning(tx: Tx, { databaseId }: OfDatabase, end: EndedJob): Promise<void> {
  if (end.state === 'done') return;
  const database = await lockDatabase(tx, databaseId);
  if (database?.status === 'provisioning') await fail(tx, databaseId, wentWrong(end.jobId));
}

const wentWrong = (jobId: string): string =>
  `It could not be set up: something went wrong on our side (job ${jobId}). Provision it again; if that fails too, ask the operator.`;

/** The step stays: it tells where it failed. */
async function fail(db: Parameters<typeof advance>[0], databaseId: string, error: string): Promise<void> {
  await advance(db, databaseId, 'provisioning', { status: 'failed', error });
}
