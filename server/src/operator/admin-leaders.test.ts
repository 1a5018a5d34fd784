import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { createLeaderships } from '../jobs/leaderships.ts';
import { createWorker } from '../jobs/worker.ts';
import { eventually } from '../testing/eventually.ts';
import { openOperatorBench, type OperatorBench } from '../testing/operator-bench.ts';

let bench: OperatorBench;
beforeEach(async () => {
  bench = await openOperatorBench();
  await bench.createOwner();
});
afterEach(() => bench[Symbol.asyncDispose]());

const leaders = (...more: string[]) => bench.lilac(['admin', 'leaders', ...more]);

describe('lilac admin leaders', () => {
  it('says who leads, and moves it here, which the leader learns at once', async () => {
    expect(await leaders()).toMatchObject({ exitCode: 0, out: 'No worker has run yet.\n' });
    expect(await leaders('move', 'instances')).toMatchObject({ exitCode: 1 });
    const lost: string[] = [];
    const leaderships = createLeaderships({
      worker: 'elsewhere-1',
      host: 'elsewhere-1',
      log: silentLog,
      reach: { instances: 'bound', databases: 'bound' },
      onGain: () => {},
      onLoss: (name) => lost.push(name),
    });
    const worker = createWorker({ store: bench.store, log: silentLog, name: 'elsewhere-1', handlers: [], leaderships });
    await worker.start();
    expect((await leaders()).out).toMatch(/^databases {3}elsewhere-1 {2}since .*\ninstances {3}elsewhere-1 {2}since/);
    expect(await leaders('move', 'instances')).toMatchObject({ exitCode: 0 });
    await eventually('it is told', () => lost.length > 0);
    expect(lost).toEqual(['instances']);
    await worker.stop();
    const { leaders: left } = JSON.parse((await leaders('--json')).out) as { leaders: object[] };
    expect(left).toMatchObject([
      { name: 'databases', host: 'elsewhere-1', isLed: false },
      { name: 'instances', host: expect.not.stringContaining('elsewhere') as string, isLed: false },
    ]);
  });
});
