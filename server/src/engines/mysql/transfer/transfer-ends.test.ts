import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import type { DatabaseOwner } from '../../engine.ts';
import { inPieces } from '../../testing/transfer-input.ts';
import { openTransferBench, type TransferBench } from './testing/transfer-bench.ts';

let bench: TransferBench;
beforeAll(async () => {
  bench = await openTransferBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const sessionsOf = ({ user }: DatabaseOwner) =>
  bench.ask(`select id from information_schema.processlist where user = '${user}'`);

describe('when it is to end', () => {
  it('a dump ends', async () => {
    const owner = await bench.database('one');
    await bench.query(owner, 'create table many as select seq, md5(seq) as t from seq_1_to_200000');
    const controller = new AbortController();
    const dumping = bench.transfer.dump(bench.spec, 'one', new PassThrough(), controller.signal);
    const isDumping = async () =>
      (await bench.ask("select id from information_schema.processlist where db = 'one'")).length > 0;
    await eventually('it is at it', isDumping);
    controller.abort(new Error('no more'));
    await expect(dumping).rejects.toThrow('no more');
    await eventually('no session is left', async () => !(await isDumping()));
  });

  it('a load ends in the middle of a statement', async () => {
    const owner = await bench.database('one');
    const controller = new AbortController();
    const loading = bench.transfer.load(bench.spec, owner, inPieces(Buffer.from('select sleep(3600);')), {
      signal: controller.signal,
    });
    await eventually('it is at it', async () => (await sessionsOf(owner)).length > 0);
    controller.abort(new Error('no more'));
    await expect(loading).rejects.toThrow('no more');
    await eventually('no session is left', async () => (await sessionsOf(owner)).length === 0);
  });
});
