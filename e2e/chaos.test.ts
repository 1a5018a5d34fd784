import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runChaos } from '../chaos/run.ts';
import { shortForm } from '../chaos/short-form.ts';

/** The short form of `npm run chaos`: every kind of harm, and every promise looked at. */
it('a platform that is used and disturbed for a while keeps every promise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-e2e-chaos-'));
  const problems = await runChaos({
    ...shortForm,
    types: ['postgresql'],
    folder,
    say: (line) => console.log(line),
  });
  expect(problems).toEqual([]);
}, 600_000);
