import { describe, expect, it } from 'vitest';
import type { VcsAttemptRow } from '../../../db/schema.ts';
import { newId } from '../../../lib/ids.ts';
import { eventIdOf, firstNews, readEventId } from './attempt-news.ts';

const now = new Date('2026-03-01T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

function attempt(state: VcsAttemptRow['state'], secondsAgo: number, progress = '2'): VcsAttemptRow {
  return {
    id: newId('vca'),
    organisation_id: 'org_1',
    user_id: 'usr_1',
    provider: 'provider1',
    state,
    installation_id: '1',
    found: null,
    account_login: 'acme',
    connection_id: null,
    message: null,
    progress,
    changed_at: before(secondsAgo),
    held_until: null,
    created_at: before(secondsAgo),
    expires_at: new Date(before(secondsAgo).getTime() + 3600 * 1000),
  };
}

describe('what somebody is told who begins to follow', () => {
  it('is the attempt that goes on', () => {
    const waiting = attempt('waiting', 1800);
    expect(firstNews([waiting], { seen: null, now })).toEqual([waiting]);
    expect(firstNews([attempt('waiting', 3601)], { seen: null, now })).toEqual([]);
  });

  it('is what was linked in the last minute, and nothing older', () => {
    const linked = attempt('linked', 59);
    expect(firstNews([linked], { seen: null, now })).toEqual([linked]);
    expect(firstNews([attempt('linked', 61)], { seen: null, now })).toEqual([]);
  });

  it('is not what was linked before the attempt that they have just begun', () => {
    const waiting = attempt('waiting', 1);
    expect(firstNews([attempt('linked', 30), waiting], { seen: null, now })).toEqual([waiting]);
  });

  it('is all that they have missed, however long ago, and nothing that they have seen', () => {
    const [first, second, third] = [attempt('waiting', 300), attempt('refused', 200, '3'), attempt('linked', 100, '4')];
    const all = [first, second, third];
    expect(firstNews(all, { seen: readEventId(eventIdOf(first)), now })).toEqual([second, third]);
    expect(firstNews(all, { seen: readEventId(eventIdOf(third)), now })).toEqual([]);
  });

  it('is how the same attempt went on', () => {
    const waiting = attempt('waiting', 300);
    const linked = { ...waiting, state: 'linked', progress: '3', changed_at: before(200) } as const;
    expect(firstNews([linked], { seen: readEventId(eventIdOf(waiting)), now })).toEqual([linked]);
  });
});

describe('the id of an event', () => {
  it('is read back', () => {
    const { id } = attempt('waiting', 5);
    const row = { ...attempt('waiting', 5), id };
    expect(readEventId(eventIdOf(row))).toEqual({ attemptId: id, progress: 2n, changedAt: before(5).getTime() });
  });

  it.each([null, '', 'none', '5', '-1-vca_x-2', 'x'.repeat(5000), `9e9-${newId('vca')}-1`])('is not: %s', (text) => {
    expect(readEventId(text)).toBeNull();
  });
});
