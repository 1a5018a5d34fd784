import { describe, expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { createBuildLog, type BuildLogLimits } from './build-log.ts';
import { createDeploymentsBench } from './testing/deployments-bench.ts';

const CUT = '==> The log is too long: what follows is left out, but for its end.';

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
    ['lines', { lines: 3, end: { lines: 2, bytes: 100 } }],
    ['bytes', { bytes: 6, end: { lines: 100, bytes: 4 } }],
  ])('loses its middle at its limit of %s, and keeps its end before what the platform says', async (_what, limits) => {
    await using open = await openLog(limits);
    for (let n = 0; n < 10; n++) open.log.line(String(n));
    open.log.note('The build failed.');
    await open.log.close();
    expect(await open.read()).toEqual([
      '0',
      '1',
      '2',
      CUT,
      '==> The log is too long: 5 lines are left out here.',
      '8',
      '9',
      '==> The build failed.',
    ]);
  });

  it('says at once that it is cut, and keeps the end back until the step is over', async () => {
    await using open = await openLog({ lines: 1, end: { lines: 1, bytes: 100 } });
    for (const text of ['a', 'b', 'c']) open.log.line(text);
    await eventually('the cut is told', async () => (await open.read()).length >= 2);
    expect(await open.read()).toEqual(['a', CUT]);
    await open.log.flush();
    expect((await open.read()).slice(2)).toEqual(['==> The log is too long: 1 line is left out here.', 'c']);
  });

  it('says of nothing that it is left out where the end is all that there was', async () => {
    await using open = await openLog({ lines: 1, end: { lines: 2, bytes: 100 } });
    for (const text of ['a', 'b', 'c']) open.log.line(text);
    await open.log.close();
    expect(await open.read()).toEqual(['a', CUT, 'b', 'c']);
  });

  it('has a little room for the beginning of each step that follows, and for its end', async () => {
    await using open = await openLog({ lines: 1, end: { lines: 2, bytes: 100 } });
    for (const text of ['a', 'b']) open.log.line(text);
    open.log.note('Building');
    for (let n = 0; n < 9; n++) open.log.line(String(n));
    open.log.note('Failed');
    await open.log.close();
    const second = ['0', '1', CUT, '==> The log is too long: 5 lines are left out here.', '7', '8'];
    expect(await open.read()).toEqual(['a', CUT, 'b', '==> Building', ...second, '==> Failed']);
  });

  it('keeps the last thousand lines of a long one', async () => {
    await using open = await openLog({ lines: 10 });
    for (let n = 1; n <= 20_000; n++) open.log.line(`line ${n}`);
    open.log.note('The build failed.');
    await open.log.close();
    const lines = await open.read();
    expect(lines[11]).toBe('==> The log is too long: 18,990 lines are left out here.');
    expect(lines.slice(12, -1)).toEqual(Array.from({ length: 1000 }, (_, n) => `line ${19_001 + n}`));
  });

  it('reads no line that it leaves out', async () => {
    await using open = await openLog({ lines: 3, end: { lines: 2, bytes: 1000 } });
    const read: number[] = [];
    const lineOf = (n: number) => ({ bytes: 10, read: () => (read.push(n), `line ${n}`) });
    for (let n = 0; n < 100; n++) open.log.unread(lineOf(n));
    await open.log.close();
    expect(read).toEqual([0, 1, 2, 98, 99]);
    expect((await open.read()).at(-1)).toBe('line 99');
  });

  it('keeps half a mebibyte of the end at most, also of endless lines', async () => {
    await using open = await openLog({ lines: 1 });
    for (let n = 0; n < 200; n++) open.log.line(`${n} ${'x'.repeat(100_000)}`);
    await open.log.close();
    const kept = (await open.read()).slice(3);
    const size = kept.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    expect(size).toBeLessThanOrEqual(512 * 1024);
    expect(size).toBeGreaterThan(480 * 1024);
    expect(kept.at(-1)).toMatch(/^199 x+ …$/);
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
