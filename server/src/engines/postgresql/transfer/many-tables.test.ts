import { expect, it } from 'vitest';
import { findPrograms } from '../programs.ts';
import { openTransferBench } from './testing/transfer-bench.ts';

const TABLES = 3000;

it('dumps a database of thousands of tables, each with an index', async () => {
  const [newest] = await findPrograms(null);
  await using bench = await openTransferBench(newest!);
  const owner = await bench.database('wide');
  // In several transactions: to make them all takes locks as well, which are the owner's own to mind.
  for (let at = 0; at < TABLES; at += 500) {
    await bench.query(
      owner,
      `do $$ begin for i in ${at} .. ${at + 499} loop execute format('create table t_%s (id int primary key)', i); end loop; end $$`,
    );
  }
  expect(await bench.dump(owner)).toMatchObject({ tables: TABLES, rows: 0 });
});
