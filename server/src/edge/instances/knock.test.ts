import { expect, it } from 'vitest';
import { knock } from './knock.ts';
import { findFreePort, startInstance } from './testing/start-instance.ts';

it('tells who listens from who does not', async () => {
  const { address } = await startInstance('a');
  expect(await knock(address)).toBe('taken');
  expect(await knock({ ...address, port: await findFreePort() })).toBe('refused');
});
