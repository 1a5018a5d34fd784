import { describe, expect, it } from 'vitest';
import type { Behaviour } from './testing/stand-in-runtime.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

/** More than anybody waits here. */
const PATIENT = { LILAC_START_WITHIN: '10m' };
const statusOf = (path: string | undefined) => (path === '/ready?all' ? 500 : 200);
const lines = ['one', 'the last words'];

async function failNext(bench: FleetBench, behave: (id: string) => Behaviour) {
  await bench.work();
  const live = await bench.deploy(bench.subject);
  const [old] = await bench.settled(1);
  bench.runtime.behave = ({ id }) => ({ lines, ...behave(id) });
  const failed = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
  expect(failed.stage).toBe('checking');
  expect((await bench.logOf(failed.id)).slice(-3)).toEqual([...lines, `==> ${failed.error}`]);
  expect((await bench.settled(1))[0]!.id).toBe(old!.id);
  expect(await bench.ask()).toMatchObject({ deploymentId: live.id });
  return failed;
}

function setVariables(bench: FleetBench, variables: Record<string, string>): Promise<void> {
  const place = { table: 'environments', column: 'variables', row: bench.environmentId } as const;
  return bench.setEnvironment({ variables: bench.keyring.seal(JSON.stringify(variables), place) });
}

describe('the check of new instances', () => {
  it('is over at once when one dies of it, and tells how, with its last words', async () => {
    await using bench = await createFleetBench({ settings: PATIENT });
    const crash = (id: string) => bench.runtime.crash(id, { exitCode: 9, isOutOfMemory: false });
    const { error } = await failNext(bench, (id) => ({ respond: () => crash(id) }));
    expect(error).toBe('The new instance ended with exit code 9 while it was checked.');
  });

  it('tells the last words of one that never answers', async () => {
    await using bench = await createFleetBench();
    const { error } = await failNext(bench, () => ({ respond: () => {} }));
    expect(error).toBe('The new instance failed its check: / did not answer within 2 s.');
  });

  it('asks each of them before anybody else does, and all must answer', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.setEnvironment({ min_instances: 3 });
    const asked: string[] = [];
    bench.runtime.behave = ({ id }) => ({ respond: (_, response) => void (asked.push(id), response.end()) });
    await bench.deploy(bench.subject);
    const old = await bench.settled(3);
    expect(asked.toSorted()).toEqual(old.map(({ id }) => id).toSorted());
    let count = 0;
    bench.runtime.behave = () => ({ respond: ++count === 2 ? () => {} : (_, response) => void response.end() });
    const failed = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    expect(failed.error).toContain('did not answer');
    expect((await bench.settled(3)).map(({ id }) => id)).toEqual(old.map(({ id }) => id));
  });

  it('asks for the path that was set, which must be answered well', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    await bench.deploy(bench.subject);
    await setVariables(bench, { LILAC_HEALTH_PATH: '/ready?all' });
    bench.runtime.behave = () => ({ respond: ({ url }, answer) => void answer.writeHead(statusOf(url)).end() });
    const failed = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    expect(failed.error).toBe('The new instance failed its check: /ready?all answered with status 500.');
    bench.runtime.behave = () => ({});
    await bench.deploy(bench.subject);
    expect((await bench.ask()).env).toMatchObject({ LILAC_HEALTH_PATH: '/ready?all' });
    await setVariables(bench, { LILAC_HEALTH_PATH: 'ready' });
    const odd = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    expect(odd.error).toContain('LILAC_HEALTH_PATH must begin with "/"');
  });

  it('is made also where files are served until then, and they stay where it fails', async () => {
    await using bench = await createFleetBench();
    await bench.work();
    const server = bench.builder.run;
    bench.builder.run = null;
    const files = await bench.deploy(bench.subject);
    bench.builder.run = server;
    await setVariables(bench, { LILAC_HEALTH_PATH: '/ready' });
    bench.runtime.behave = () => ({ respond: (_, answer) => void answer.writeHead(500).end() });
    const failed = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    expect(failed.error).toBe('The new instance failed its check: /ready answered with status 500.');
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'degraded', live: files.id });
    bench.runtime.behave = () => ({});
    await bench.deploy(bench.subject);
  });
});
