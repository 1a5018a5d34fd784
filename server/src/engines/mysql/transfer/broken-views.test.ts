import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CannotBeDumped } from '../../transfer.ts';
import { findBrokenViews, inComments } from './broken-views.ts';
import { openDumpAccount } from './dump-account.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

let bench: TransferBench;
beforeAll(async () => {
  bench = await openTransferBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('views that do not work', () => {
  it('are held together, and refused where that is too much', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table gone (x int)');
    for (const name of ['a', 'b', 'c']) {
      await bench.query(owner, `create view ${name} as select x, '${name.repeat(400_000)}' as y from gone`);
    }
    await bench.query(owner, 'drop table gone');
    await using account = await openDumpAccount(bench.home, 'one');
    const within = (longestBytes: number) =>
      findBrokenViews(bench.home, 'one', { account, lockWaitSeconds: 10, longestBytes });
    await expect(within(1024 ** 2)).rejects.toThrow(CannotBeDumped);
    await expect(within(1024 ** 2)).rejects.toThrow(/\(c is one\) have definitions of more than 1 MB together/);
    const broken = await within(2 * 1024 ** 2);
    expect(broken.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(
      inComments(broken)
        .match(/^-- CREATE .*$/gm)
        ?.map((line) => line.length > 400_000),
    ).toEqual([true, true, true]);
  });

  it('are nothing but comments, whatever lines they have', () => {
    const view = { name: 'a\nb', why: 'no', definition: 'x\r\n\r\ndrop table y;\n$& z' };
    expect(inComments([view, { ...view, name: 'c' }])).toBe(
      '-- The view a\n-- b does not work, and is left out: no\n-- x\n-- drop table y;\n-- $& z\n' +
        '-- The view c does not work, and is left out: no\n-- x\n-- drop table y;\n-- $& z\n',
    );
  });
});
