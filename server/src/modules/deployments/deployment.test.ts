import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deploymentStatuses } from '@lilac/contract/states';
import {
  applicationStatusOf,
  environmentStatusOf,
  HISTORY_LENGTH,
  isMoving,
  isOvertaken,
  ROLLBACK_WINDOW,
  rollbackTargets,
  whatToForget,
  type Entry,
  type History,
} from './deployment.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

let made = 0;
function entry(status: Entry['status'], values: Partial<Entry> = {}): Entry {
  const id = `dep_${made++}`;
  const ended = ['healthy', 'failed', 'cancelled'].includes(status) ? at(made) : null;
  const isReleased = status === 'healthy';
  return {
    id,
    status,
    artifact_id: isReleased ? `art of ${id}` : null,
    job_id: String(made),
    asked: String(made),
    created_at: at(made),
    completed_at: ended,
    released_at: isReleased ? ended : null,
    ...values,
  };
}

/** Given oldest first; what is live is named by its place. */
function history(entries: Entry[], live: number | null = null): History {
  return { liveId: live === null ? null : entries[live]!.id, hasTrouble: false, entries: entries.toReversed() };
}

describe('the status of an environment', () => {
  it.each<[string, string, string, History]>([
    ['nothing was ever deployed', 'pending', 'pending', history([])],
    ['its first deployment waits', 'pending', 'pending', history([entry('pending')])],
    ['its first deployment is built', 'deploying', 'building', history([entry('building')])],
    ['its first deployment is released', 'deploying', 'deploying', history([entry('deploying')])],
    ['its first deployment failed', 'failed', 'failed', history([entry('failed')])],
    ['its first deployment was cancelled', 'pending', 'pending', history([entry('cancelled')])],
    ['it failed, and the next was cancelled', 'failed', 'failed', history([entry('failed'), entry('cancelled')])],
    ['it failed, and the next waits', 'pending', 'pending', history([entry('failed'), entry('pending')])],
    ['the latest is live', 'healthy', 'healthy', history([entry('failed'), entry('healthy')], 1)],
    ['the next one waits', 'deploying', 'deploying', history([entry('healthy'), entry('pending')], 0)],
    ['the next one is built', 'deploying', 'building', history([entry('healthy'), entry('building')], 0)],
    ['the next one failed', 'degraded', 'degraded', history([entry('healthy'), entry('failed')], 0)],
    ['the next one was cancelled', 'healthy', 'healthy', history([entry('healthy'), entry('cancelled')], 0)],
    ['an older one is live again', 'healthy', 'healthy', history([entry('healthy'), entry('healthy')], 0)],
    [
      'the latest failed, and what was live was released again since',
      'healthy',
      'healthy',
      history([entry('healthy', { completed_at: at(1e6), released_at: at(1e6) }), entry('failed')], 0),
    ],
    [
      'going back to an older one failed',
      'degraded',
      'degraded',
      history([entry('failed', { completed_at: at(1e6), released_at: at(1) }), entry('healthy')], 1),
    ],
  ])('when %s is %s, and the application %s', (_when, environment, application, given) => {
    expect(environmentStatusOf(given)).toBe(environment);
    expect(applicationStatusOf(given)).toBe(application);
  });
});

const anyHistory: fc.Arbitrary<History> = fc
  .array(
    fc.record({
      status: fc.constantFrom(...deploymentStatuses),
      hasArtifact: fc.boolean(),
      releasedAt: fc.option(fc.integer({ min: 1, max: 1000 })),
    }),
    { maxLength: 50 },
  )
  .chain((specs) =>
    fc.record({
      specs: fc.constant(specs),
      live: fc.option(fc.integer({ min: 0, max: Math.max(0, specs.length - 1) })),
    }),
  )
  .map(({ specs, live }) => {
    const entries = specs.map(({ status, hasArtifact, releasedAt }, n) =>
      entry(status, {
        artifact_id: hasArtifact ? `art_${made}_${n}` : null,
        released_at: releasedAt === null ? null : at(releasedAt),
      }),
    );
    return history(entries, entries.length > 0 ? live : null);
  });

describe('whatever has happened', () => {
  it('a settled status is shown if and only if nothing moves, and a served environment never looks unserved', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const status = environmentStatusOf(given);
        const moves = given.entries.some(isMoving);
        const settled = given.liveId === null ? ['pending', 'failed'] : ['healthy', 'degraded'];
        const moving = given.liveId === null ? ['pending', 'deploying'] : ['deploying'];
        expect(moves ? moving : settled).toContain(status);
        const isBuilding = given.entries.some((one) => one.status === 'building');
        expect(applicationStatusOf(given)).toBe(isBuilding ? 'building' : status);
      }),
    );
  });

  it('what is live, what moves and what can be rolled back to is never forgotten; of the rest the last twenty stay', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const { entries, liveId } = given;
        const targets = rollbackTargets(entries);
        expect(targets.size).toBeLessThanOrEqual(ROLLBACK_WINDOW);
        const { deploymentIds, artifactIds } = whatToForget(given);
        const gone = new Set(deploymentIds);
        for (const [place, one] of entries.entries()) {
          const isNeeded = one.id === liveId || isMoving(one) || targets.has(one.id);
          expect(gone.has(one.id)).toBe(!isNeeded && place >= HISTORY_LENGTH);
          expect(artifactIds.includes(one.artifact_id ?? '')).toBe(!isNeeded && one.artifact_id !== null);
        }
      }),
    );
  });
});

describe('the rollback window', () => {
  it('is the last ten that were live, by when they last were, and whose files are there', () => {
    const entries = Array.from({ length: 14 }, () => entry('healthy'));
    entries[3] = { ...entries[3]!, released_at: at(1e6) };
    entries[12] = { ...entries[12]!, artifact_id: null };
    entries.push(entry('failed'), entry('cancelled'));
    const targets = rollbackTargets(entries.toReversed());
    expect(entries.flatMap(({ id }, place) => (targets.has(id) ? place : []))).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13,
    ]);
  });
});

describe('a release', () => {
  it('gives way to one that was asked for later and is live or on its way, and to no other', () => {
    const old = entry('healthy', { asked: '499' });
    const mine = entry('building', { asked: '500' });
    const later = { asked: '501' };
    const isOvertakenBy = (others: Entry[], live: number | null) =>
      isOvertaken(history([old, mine, ...others], live), mine.id);
    expect(isOvertakenBy([], 0)).toBe(false);
    expect(isOvertakenBy([entry('deploying', later)], 0)).toBe(true);
    expect(isOvertakenBy([entry('healthy', later)], 2)).toBe(true);
    expect(isOvertakenBy([entry('healthy', later)], 0)).toBe(false);
    expect(isOvertakenBy([entry('failed', later), entry('building', later)], 0)).toBe(false);
    expect(isOvertakenBy([entry('deploying', { asked: '1000' })], 0)).toBe(true);
    // Whichever has the newer job: one that waited for no build may have been asked for later all the same.
    expect(isOvertakenBy([entry('healthy', { asked: '502', job_id: '1' })], 2)).toBe(true);
  });
});
