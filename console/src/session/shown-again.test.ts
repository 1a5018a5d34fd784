import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SessionState } from './session.ts';
import { watchShownAgain } from './shown-again.ts';

const listeners: ((event: { persisted: boolean }) => void)[] = [];
const done: string[] = [];
beforeEach(() => {
  vi.stubGlobal('addEventListener', (_name: string, listener: () => void) => listeners.push(listener));
  vi.stubGlobal('location', { reload: () => done.push('reload') });
});
afterEach(() => {
  vi.unstubAllGlobals();
  done.length = 0;
  listeners.length = 0;
});

it.each<[SessionState['status'], boolean, string[]]>([
  ['over', true, ['reload']],
  ['signed-in', true, ['refresh']],
  ['signed-in', false, []],
])('a page that is %s, and shown again: %s, does: %s', (status, persisted, expected) => {
  watchShownAgain({
    state: () => ({ status }) as SessionState,
    async refresh() {
      done.push('refresh');
    },
  });
  for (const listener of listeners) listener({ persisted });
  expect(done).toEqual(expected);
});
