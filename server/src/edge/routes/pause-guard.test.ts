import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPauseGuard } from './pause-guard.ts';

it('tells once that nothing ran for a while, before anything is answered', () => {
  let told = 0;
  const guard = createPauseGuard(() => told++, 50);
  guard.check();
  expect(told).toBe(0);
  // As a process that is stopped: no timer of it comes.
  for (const end = performance.now() + 60; performance.now() < end;);
  guard.check();
  guard.check();
  expect(told).toBe(1);
  guard.stop();
});

it('says nothing while the process runs', async () => {
  let told = 0;
  const guard = createPauseGuard(() => told++, 30_000);
  await delay(1100);
  guard.check();
  expect(told).toBe(0);
  guard.stop();
});
