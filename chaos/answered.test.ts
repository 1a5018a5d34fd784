import { describe, expect, it } from 'vitest';
import { isEverybodyAnswered } from './invariants/answered.ts';
import type { Check } from './invariants/problem.ts';
import { Outages, type PartFailure } from './outages.ts';

const broken: PartFailure = { part: 'site', message: 'read ECONNRESET', startedAt: 1000, endedAt: 1234 };

const problemsOf = (outages: Outages) => isEverybodyAnswered({ scene: { outages } } as unknown as Check);

function killedEdge(): Outages {
  const outages = new Outages();
  outages.open({ what: 'kill-edge', harms: 'edge', disturbs: { site: ['broken'] } });
  const now = performance.now();
  outages.note({ ...broken, startedAt: now, endedAt: now });
  return outages;
}

describe('a request that was not answered', () => {
  it('breaks a promise where no fault explains it, and so does one that was refused at first', async () => {
    const outages = new Outages();
    outages.note(broken);
    outages.noteRetried({ ...broken, part: 'server', message: 'connect ECONNREFUSED' });
    expect((await problemsOf(outages)).map(({ about, what }) => `${about}: ${what}`)).toEqual([
      'site: read ECONNRESET (after 234 ms)',
      'server: connect ECONNREFUSED (after 234 ms)',
    ]);
  });

  it('breaks none where one does', async () => {
    expect(await problemsOf(killedEdge())).toEqual([]);
  });

  it('breaks one where a fault may disturb others, or otherwise', async () => {
    const outages = killedEdge();
    const now = performance.now();
    const span = { startedAt: now, endedAt: now };
    outages.note({ ...broken, part: 'server', ...span });
    outages.note({ ...broken, message: '500 Something went wrong', ...span });
    expect((await problemsOf(outages)).map(({ about }) => about)).toEqual(['server', 'site']);
  });
});
