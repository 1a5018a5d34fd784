import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createWorker } from '../../jobs/worker.ts';
import { createLog } from '../../lib/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { createApplication, createOwner, productionOf } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { deploymentJobs } from '../deployments/jobs.ts';
import { noInstances } from '../deployments/testing/no-instances.ts';
import { createStandInBuilder, type StandInBuilder } from '../deployments/testing/stand-in-builder.ts';
import { startStandInEdge } from '../deployments/testing/stand-in-edge.ts';
import { createErrorKeeper } from './keep-errors.ts';
import { observeJobs } from './observe-jobs.ts';
import { findPlatformErrors } from './platform-error-store.ts';

type Line = Record<string, unknown>;

function capture(role: string) {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  return { lines, log: createLog({ level: 'info', role, destination: { write } }) };
}

const nothing = async (): Promise<void> => {};

async function startWorker(api: TestApi, builder: StandInBuilder) {
  const { lines, log } = capture('worker');
  const handlers = deploymentJobs({
    store: api.store,
    config: api.config,
    keyring: api.keyring,
    builder,
    log,
    fleet: noInstances,
    repositoryOf: async () => ({ provider: 'provider1', owner: 'a', name: 'b', url: '', credential: null }),
    gitSources: { sweep: nothing },
    objects: { remove: nothing },
    artifacts: { compress: nothing, remove: nothing, sweep: nothing },
  });
  const errors = createErrorKeeper({ db: api.store.db, log, role: 'worker' });
  const worker = createWorker({ store: api.store, log, name: 'one', handlers, observer: observeJobs(errors) });
  await worker.start();
  const close = async () => {
    await worker.stop({ finishMs: 0 });
    await errors.close();
  };
  return { lines, log, [Symbol.asyncDispose]: close };
}

async function deploy(api: TestApi) {
  const owner = await createOwner(api);
  const { id } = await createApplication(api, owner);
  const { id: environmentId } = await productionOf(api, id);
  const body = { targetOrganisationId: owner.organisationId, environmentId };
  const answer = await api.call('/api/environments/deploy', { token: owner.token, body });
  expect(answer.status).toBeLessThan(300);
  return { requestId: String(answer.headers['x-request-id']), deploymentId: String(answer.body.id) };
}

async function jobsOf(api: TestApi, requestId: string) {
  const { rows } = await sql<{ id: string; kind: string; state: string }>`
    select id, kind, state from jobs where request_id = ${requestId} order by id`.execute(api.store.db);
  return rows;
}

const isOver = (api: TestApi, id: string, status: string) =>
  eventually(`it is ${status}`, async () => {
    const { rows } = await sql<{ status: string }>`select status from deployments where id = ${id}`.execute(
      api.store.db,
    );
    return rows[0]!.status === status;
  });

describe('a request for a deployment', () => {
  it('is found by its id in its jobs, and in all that its build and its release say in the log', async () => {
    await using api = await startApi();
    await using _edge = startStandInEdge(api.store);
    const builder = createStandInBuilder(api.store);
    await using worker = await startWorker(api, builder);
    builder.next = async () => worker.log.warn('deep inside the builder');
    const { requestId, deploymentId } = await deploy(api);
    expect(requestId).toMatch(/^req_/);
    await isOver(api, deploymentId, 'healthy');
    await eventually('the last line is there', async () => worker.lines.some(({ msg }) => msg === 'a release is over'));
    const jobs = await jobsOf(api, requestId);
    const idOf = (wanted: string) => jobs.find(({ kind }) => kind === wanted)!.id;
    const [build, release] = [idOf('deployments.build'), idOf('deployments.release')];
    const told = worker.lines
      .filter((line) => line['requestId'] === requestId)
      .map(({ role, msg, jobId, kind }) => ({ role, msg, jobId, kind }));
    // A release may begin before the last line of its build.
    expect(told.toSorted((one, other) => Number(one.jobId) - Number(other.jobId))).toEqual([
      { role: 'worker', msg: 'a build begins', jobId: build, kind: 'deployments.build' },
      { role: 'worker', msg: 'deep inside the builder', jobId: build, kind: undefined },
      { role: 'worker', msg: 'a build is over', jobId: build, kind: 'deployments.build' },
      { role: 'worker', msg: 'a release begins', jobId: release, kind: 'deployments.release' },
      { role: 'worker', msg: 'a release is over', jobId: release, kind: 'deployments.release' },
    ]);
  });

  it('finds what its build failed of, where that was not expected', async () => {
    await using api = await startApi();
    await using _edge = startStandInEdge(api.store);
    const builder = createStandInBuilder(api.store);
    let tries = 0;
    builder.next = async () => {
      if (tries++ === 0) throw new TypeError('x is not a function');
    };
    const { requestId, deploymentId } = await deploy(api);
    {
      await using worker = await startWorker(api, builder);
      await isOver(api, deploymentId, 'healthy');
      expect(worker.lines).toContainEqual(
        expect.objectContaining({ msg: 'a job failed', requestId, errorId: expect.stringMatching(/^err_/) as string }),
      );
    }
    const [job] = await jobsOf(api, requestId);
    const expected = [{ role: 'worker', origin: 'deployments.build', job_id: job!.id, message: 'x is not a function' }];
    expect(await findPlatformErrors(api.store.db, requestId, 10)).toMatchObject(expected);
    expect(await findPlatformErrors(api.store.db, deploymentId, 10)).toMatchObject(expected);
  });
});

describe('a request that fails as nobody expected', () => {
  it('leaves an error under the id of its answer, and no secret of it anywhere', async () => {
    const { lines, log } = capture('api');
    const secrets = { password: 'hunter2-password', cookie: 'hunter2-cookie', variable: 'hunter2-variable' };
    let errorId = '';
    let requestId = '';
    await using api = await startApi({ log });
    const owner = await createOwner(api);
    const { id } = await createApplication(api, owner);
    const { id: environmentId } = await productionOf(api, id);
    // The store refuses, and repeats whatever it was given: in the message, and in the detail the row.
    await sql
      .raw(`
      create function refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'cannot store: authorization: Bearer ${owner.token}; password="${secrets.password}" postgresql://ada:${secrets.password}@db/lilac'
          using detail = 'Failing row contains ' || new::text || '${secrets.variable}', hint = '${secrets.cookie}';
      end $$;
      create trigger refuse before update on environments for each row execute function refuse()`)
      .execute(api.store.db);
    const answer = await api.call('/api/environments/update', {
      token: owner.token,
      headers: { cookie: `lilac_refresh=${secrets.cookie}` },
      body: {
        targetOrganisationId: owner.organisationId,
        environmentId,
        environmentVariables: { KEY: secrets.variable },
        variables: { KEY: secrets.variable },
        password: secrets.password,
        name: 'another name',
      },
    });
    expect(answer.status).toBe(500);
    errorId = String(answer.body.errorId);
    requestId = String(answer.headers['x-request-id']);
    await eventually('it is kept', async () => (await findPlatformErrors(api.store.db, errorId, 1)).length === 1);
    const [kept] = await findPlatformErrors(api.store.db, requestId, 1);
    expect(kept).toMatchObject({ id: errorId, role: 'api', origin: 'environments.update', request_id: requestId });
    expect(kept!.message).toContain('cannot store');
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', role: 'api', requestId, errorId }));
    for (const written of [JSON.stringify(lines), JSON.stringify(kept), answer.text]) {
      for (const secret of [owner.token, 'hunter2']) expect(written).not.toContain(secret);
    }
  });
});
