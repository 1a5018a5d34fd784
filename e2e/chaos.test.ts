import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runChaos } from '../chaos/run.ts';

/** The short form of `npm run chaos`: one kind of each fault, and every promise looked at. */
it('a platform that is used and disturbed for a while keeps every promise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-e2e-chaos-'));
  const problems = await runChaos({
    seed: 7,
    minutes: 0.4,
    faultNames: ['kill-worker', 'kill-first-edge', 'cut-store', 'kill-instance'],
    types: ['postgresql'],
    folder,
    say: (line) => console.log(line),
  });
  expect(problems).toEqual([]);
}, 600_000);
