import { expect, it } from 'vitest';
import { connectAsOwner, type Session } from '../connect.ts';
import { isCrowded } from '../health.ts';
import { findPrograms } from '../programs.ts';
import { connectionsFor } from '../settings.ts';
import { openTransferBench } from './testing/transfer-bench.ts';

it('dumps a database whose clients have all connections that they can have', async () => {
  const [newest] = await findPrograms(null);
  await using bench = await openTransferBench(newest!);
  const owner = await bench.database('crowded');
  await bench.query(owner, 'create table t as select 1 as n');
  await using clients = new AsyncDisposableStack();
  const come = async () => clients.use<Session>(await connectAsOwner(bench.home, owner));
  for (let count = connectionsFor(bench.spec.size.memoryMb); count > 0; count--) await come();
  expect(await come().then(() => false, isCrowded)).toBe(true);
  expect(await bench.dump(owner)).toMatchObject({ tables: 1, rows: 1 });
});
