import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../config.ts';
import type { ApplicationRow, DeploymentRow, EnvironmentRow } from '../../../db/schema.ts';
import type { SessionCaller } from '../../../http/handler.ts';
import type { WorkerTiming } from '../../../jobs/worker-timing.ts';
import { createWorker, type Worker } from '../../../jobs/worker.ts';
import { systemClock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import { createChannelHub } from '../../../routing/channel-hub.ts';
import { openKeyring } from '../../../secrets/key-file.ts';
import type { Keyring } from '../../../secrets/keyring.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createApplication, productionOf, unique } from '../../../testing/factories.ts';
import { createTestStore, type TestStore } from '../../../testing/test-store.ts';
import { createFleet, FLEET_CHANNELS } from '../../instances/create-fleet.ts';
import type { Fleet, FleetTiming } from '../../instances/fleet.ts';
import { createStandInRuntime, type StandInRuntime } from '../../instances/testing/stand-in-runtime.ts';
import type { ReleaseTiming } from '../await-edges.ts';
import { findDeployment } from '../deployment-store.ts';
import { deploymentJobs, type DeploymentJobsDeps } from '../jobs.ts';
import { readLines } from '../log-store.ts';
import { rollBackDeployment } from '../roll-back-deployment.ts';
import { startDeployment } from '../start-deployment.ts';
import { createStandInBuilder, type StandInBuilder } from './stand-in-builder.ts';
import { startStandInFront, type StandInFront } from './stand-in-front.ts';

export interface Subject {
  application: ApplicationRow;
  environment: EnvironmentRow;
}

/** A store, real workers, a stand-in builder: `await using bench = await createDeploymentsBench()`. */
export interface DeploymentsBench extends AsyncDisposable {
  store: TestStore;
  keyring: Keyring;
  builder: StandInBuilder;
  runtime: StandInRuntime;
  /** Of the fleet that was started last. */
  fleet: Fleet;
  front: StandInFront;
  deps: DeploymentJobsDeps;
  /** What was asked of the artifacts and of the object store. */
  removed: { artifacts: string[]; objects: string[] };
  caller: SessionCaller;
  /** Starts a fleet, as a worker does; the last one, if it was not stopped, is as good as killed. */
  keep(): Promise<Fleet>;
  work(options?: { name?: string; timing?: Partial<WorkerTiming> }): Promise<Worker>;
  settle(): Promise<Subject>;
  start(subject: Subject, uploadId?: string): Promise<DeploymentRow>;
  rollBack(subject: Subject, deploymentId: string): Promise<DeploymentRow>;
  read(id: string): Promise<DeploymentRow>;
  logOf(id: string): Promise<string[]>;
  statuses(subject: Subject): Promise<{ environment: string; application: string; live: string | null }>;
  waitFor(id: string, status: DeploymentRow['status']): Promise<DeploymentRow>;
  /** Starts one and waits until it is live. */
  deploy(subject: Subject): Promise<DeploymentRow>;
}

export interface BenchOptions {
  releaseTiming?: ReleaseTiming;
  fleetTiming?: Partial<FleetTiming>;
  settings?: Record<string, string>;
}

/** Everything that takes seconds on a platform takes moments here. */
const HASTY: Partial<FleetTiming> = {
  tickMs: 20,
  lookMs: 60,
  checkMs: 50,
  checkWithinMs: 500,
  healthWithinMs: 500,
  answerWithinMs: 500,
  sickMs: 300,
  graceMs: 100,
  edgesReturnMs: 200,
  stableMs: 400,
  firstBackoffMs: 20,
  longestBackoffMs: 100,
  portSettleMs: 50,
  localSettleMs: 100,
};

export async function createDeploymentsBench({
  releaseTiming,
  fleetTiming,
  settings,
}: BenchOptions = {}): Promise<DeploymentsBench> {
  const home = mkdtempSync(join(tmpdir(), 'lilac-deployments-'));
  const store = await createTestStore();
  const keyring = openKeyring(join(home, 'keyring.json'));
  const builder = createStandInBuilder(store);
  const removed: DeploymentsBench['removed'] = { artifacts: [], objects: [] };
  const workers: Worker[] = [];
  const runtime = createStandInRuntime();
  const front = await startStandInFront();
  const fleets: Fleet[] = [];
  const config = readConfig({
    LILAC_HOME: home,
    LILAC_PORT: String(front.port),
    LILAC_BUILDS: '4',
    LILAC_BUILDS_PER_ORGANISATION: '2',
    ...settings,
  });
  const newFleet = () => {
    const timing = { ...HASTY, ...fleetTiming };
    const channels = createChannelHub(store, FLEET_CHANNELS);
    return createFleet({ store, channels, config, runtime, keyring, clock: systemClock, log: silentLog, timing });
  };
  const deps: DeploymentJobsDeps = {
    store,
    keyring,
    builder,
    releaseTiming,
    log: silentLog,
    config,
    fleet: {
      prepare: (...given) => bench.fleet.prepare(...given),
      settle: (...given) => bench.fleet.settle(...given),
      serving: (...given) => bench.fleet.serving(...given),
    },
    repositoryOf: async ({ vcs_repo_url }) => ({
      provider: 'provider1',
      owner: 'a',
      name: 'repository',
      url: vcs_repo_url!,
      credential: null,
    }),
    gitSources: { sweep: async () => {} },
    objects: { remove: async (key) => void removed.objects.push(key) },
    artifacts: {
      async compress(id) {
        await store.pool.query('update artifacts set compressed_at = now() where id = $1', [id]);
      },
      async remove(ids) {
        removed.artifacts.push(...ids);
        await store.pool.query('delete from artifacts where id = any ($1)', [ids]);
      },
      sweep: async () => {},
    },
  };
  const caller = await insertPerson(store);
  const bench: DeploymentsBench = {
    store,
    keyring,
    builder,
    runtime,
    front,
    fleet: newFleet(),
    deps,
    removed,
    caller,
    async keep() {
      const fleet = newFleet();
      fleets.push(fleet);
      bench.fleet = fleet;
      await fleet.start();
      return fleet;
    },
    async work({ name = 'one', timing } = {}) {
      const worker = createWorker({ store, log: silentLog, name, handlers: deploymentJobs(deps), timing });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    settle: () => insertSubject(store),
    start: (subject, uploadId) => store.db.transaction().execute((tx) => startDeployment(tx, { ...subject, uploadId })),
    rollBack: (subject, deploymentId) =>
      rollBackDeployment(store.db, { environment: subject.environment, deploymentId, caller }),
    read: async (id) => (await findDeployment(store.db, id))!,
    logOf: (id) => readLines(store.db, id),
    async statuses({ environment, application }) {
      const { rows } = await store.pool.query(
        `select e.status as environment, a.status as application, e.live_deployment_id as live
         from environments e, applications a where e.id = $1 and a.id = $2`,
        [environment.id, application.id],
      );
      return rows[0];
    },
    async waitFor(id, status) {
      await eventually(`deployment ${id} is ${status}`, async () => {
        const row = await bench.read(id);
        const isOver = ['healthy', 'failed', 'cancelled'].includes(row.status) && row.status !== status;
        if (isOver) throw new Error(`It is ${row.status}, not ${status}: ${row.error}`);
        return row.status === status;
      });
      return bench.read(id);
    },
    deploy: async (subject) => bench.waitFor((await bench.start(subject)).id, 'healthy'),
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop({ finishMs: 0 })));
      await Promise.all(fleets.map((fleet) => fleet.stop()));
      await runtime[Symbol.asyncDispose]();
      await front[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
  return bench;
}

/** An application that was just created: nothing is live. */
async function insertSubject(store: TestStore): Promise<Subject> {
  const organisationId = newId('org');
  const organisation = { id: organisationId, name: 'An organisation', slug: unique('org'), plan: 'pro' } as const;
  await store.db.insertInto('organisations').values(organisation).execute();
  const { id } = await createApplication({ store }, { organisationId });
  const pending = { status: 'pending' } as const;
  const application = await store.db
    .updateTable('applications')
    .set(pending)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await store.db.updateTable('environments').set(pending).where('application_id', '=', id).execute();
  return { application, environment: await productionOf({ store }, id) };
}

async function insertPerson(store: TestStore): Promise<SessionCaller> {
  const userId = newId('usr');
  const person = { id: userId, email: 'ada@example.org', first_name: 'Ada', password_hash: 'none' };
  await store.db.insertInto('users').values(person).execute();
  return { kind: 'session', userId, sessionId: 'ses_1' };
}
