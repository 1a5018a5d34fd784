import { ApiError } from '@lilac/contract/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { dismissOutcome, noteFailure, noteOutcome, type Outcome, useOutcomes } from './outcomes.ts';

vi.mock('react', () => ({ useSyncExternalStore: (_listen: unknown, read: () => unknown) => read() }));

const done = (said: string): Outcome => ({ kind: 'done', said, href: '/deployments/one' });

beforeEach(() => {
  for (const each of useOutcomes()) dismissOutcome(each);
});

it('the latest three are told, and what comes again takes the place of what was told before', () => {
  for (const said of ['one', 'two', 'three', 'two', 'four']) noteOutcome(done(said));
  expect(useOutcomes().map(({ said }) => said)).toEqual(['three', 'two', 'four']);
});

it('one that is dismissed leaves the others', () => {
  noteOutcome(done('one'));
  noteOutcome(done('two'));
  dismissOutcome(useOutcomes()[0]!);
  expect(useOutcomes()).toEqual([done('two')]);
});

it('a failure says of what page it is and why, with what to quote', () => {
  const beginning = { href: '/apps/one/settings', windowTitle: 'Settings · One · Lilac' };
  const failure = { status: 500, code: 'SV001', message: 'Broken.', errorId: 'err_1', retryAfterSeconds: null };
  noteFailure(beginning, new ApiError(failure));
  const [{ kind, said, href } = done('')] = useOutcomes();
  expect([kind, href]).toEqual(['failed', '/apps/one/settings']);
  expect(said).toMatch(/^What you started on “Settings · One” failed\. Something went wrong on our side\..* err_1$/);
});
