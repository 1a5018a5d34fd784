import { describe, expect, it } from 'vitest';
import { STORE_PATIENCE_MS } from '../../db/pool.ts';
import { readEdges, reportEdge } from '../../routing/route-store.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { UNTIL_ALL_FOLLOWED } from '../environments/let-edges-follow.ts';
import { fleetTiming } from '../instances/fleet.ts';
import { awaitEdges, releaseTiming, type ReleaseTiming } from './await-edges.ts';

const { signal } = new AbortController();
const timing = { followMs: 600_000, absentMs: 600_000, returnMs: 600_000 };
const wait = ({ db }: TestStore, more: Partial<ReleaseTiming> = {}) =>
  awaitEdges(db, { version: 7, timing: { ...timing, ...more }, signal });
const silence = ({ pool }: TestStore) => pool.query(`update edges set seen_at = now() - interval '1 minute'`);

describe('right after an outage of the store', () => {
  it('an edge that has yet to report again is waited for, though another is back', async () => {
    await using store = await createTestStore();
    await reportEdge(store.db, 'late', 6);
    await silence(store);
    await reportEdge(store.db, 'early', 7);
    let isConfirmed = false;
    const waiting = wait(store).then((problem) => ((isConfirmed = true), problem));
    for (let look = 0; look < 50; look++) expect(await readEdges(store.db, 7)).toHaveLength(2);
    expect(isConfirmed).toBe(false);
    await reportEdge(store.db, 'late', 7);
    expect(await waiting).toBeNull();
  });

  it('every edge has as long, whoever waits: longer than it may be about to connect to the store that was', () => {
    const { returnMs } = releaseTiming;
    expect(returnMs).toBeGreaterThan(STORE_PATIENCE_MS);
    expect([UNTIL_ALL_FOLLOWED.returnMs, fleetTiming.edgesReturnMs]).toEqual([returnMs, returnMs]);
    // Who lives and is behind is still told from who is gone.
    for (const wholeMs of [UNTIL_ALL_FOLLOWED.patienceMs, releaseTiming.followMs, releaseTiming.absentMs])
      expect(wholeMs).toBeGreaterThan(returnMs);
  });

  it('one that does not come back is not waited for', async () => {
    await using store = await createTestStore();
    await reportEdge(store.db, 'gone', 6);
    await silence(store);
    await reportEdge(store.db, 'early', 7);
    expect(await wait(store, { returnMs: 50 })).toBeNull();
  });
});

it('nothing is confirmed while there is no edge', async () => {
  await using store = await createTestStore();
  const options = { version: 7, timing: { ...timing, absentMs: 50 }, signal };
  expect(await awaitEdges(store.db, options)).toContain('no edge is running');
});
