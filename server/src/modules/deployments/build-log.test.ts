import { describe, expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { createBuildLog, type BuildLogLimits } from './build-log.ts';
import { createDeploymentsBench } from './testing/deployments-bench.ts';

async function openLog(limits?: Partial<BuildLogLimits>) {
  const bench = await createDeploymentsBench();
  const { id } = await bench.start(await bench.settle());
  const log = createBuildLog({ db: bench.store.db, deploymentId: id, log: silentLog, limits });
  return { bench, id, log, read: () => bench.logOf(id), [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

describe('a build log', () => {
  it('can be read while it is written, a few hundred lines a row, in order', async () => {
    await using open = await openLog();
    open.log.line('the first');
    await eventually('it is there', async () => (await open.read()).length === 1);
    for (let n = 0; n < 1000; n++) open.log.line(`line ${n}`);
    open.log.note('done');
    await open.log.close();
    expect(await open.read()).toEqual([
      'the first',
      ...Array.from({ length: 1000 }, (_, n) => `line ${n}`),
      '==> done',
    ]);
    const { rows } = await open.bench.store.pool.query('select count(*)::int as n from deployment_log_chunks');
    expect(rows[0].n).toBeLessThanOrEqual(8);
  });

  it('takes whatever comes: zero characters, halves of characters, endless lines', async () => {
    await using open = await openLog({ lineLength: 20 });
    open.log.line('a\0b');
    open.log.line('x\uD800y');
    open.log.line('');
    open.log.line('é'.repeat(100));
    await open.log.flush();
    expect(await open.read()).toEqual(['a\uFFFDb', 'x\uFFFDy', '', `${'é'.repeat(20)} …`]);
  });

  it.each([
    ['lines', { lines: 3 }],
    ['bytes', { bytes: 6 }],
  ])('stops at its limit of %s, says so once, and still tells what the platform has to say', async (_what, limits) => {
    await using open = await openLog(limits);
    for (let n = 0; n < 10; n++) open.log.line(String(n));
    open.log.note('The build failed.');
    await open.log.close();
    expect(await open.read()).toEqual([
      '0',
      '1',
      '2',
      '==> The log is too long: the lines that follow are left out.',
      '==> The build failed.',
    ]);
  });

  it('goes on after what an earlier attempt wrote', async () => {
    await using open = await openLog();
    open.log.line('first attempt');
    await open.log.close();
    const second = createBuildLog({ db: open.bench.store.db, deploymentId: open.id, log: silentLog });
    second.line('second attempt');
    await second.close();
    expect(await open.read()).toEqual(['first attempt', 'second attempt']);
  });

  it('keeps what it could not store for the next time', async () => {
    await using open = await openLog();
    await open.bench.store.pool.query('alter table deployment_log_chunks rename to away');
    open.log.line('kept');
    await expect(open.log.flush()).rejects.toThrow('deployment_log_chunks');
    await open.bench.store.pool.query('alter table away rename to deployment_log_chunks');
    await open.log.close();
    expect(await open.read()).toEqual(['kept']);
  });

  it('does not mind that the deployment is gone', async () => {
    await using open = await openLog();
    await open.bench.store.pool.query('delete from deployments');
    open.log.line('to nobody');
    await open.log.flush();
    expect(await open.read()).toEqual([]);
  });
});
