import { expect, it } from 'vitest';
import { appendInTurn } from './log-store.ts';
import { createDeploymentsBench } from './testing/deployments-bench.ts';

it('lines that are appended at the same moment are all there', async () => {
  await using bench = await createDeploymentsBench();
  const { id } = await bench.start(await bench.settle());
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
  await Promise.all(lines.map((line) => appendInTurn(bench.store.db, id, [line])));
  expect((await bench.logOf(id)).toSorted()).toEqual(lines.toSorted());
});
