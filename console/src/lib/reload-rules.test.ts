import { expect, it } from 'vitest';
import { entryOf, shouldReload } from './reload-rules.ts';

it('for another build the window is loaded anew at once, and once', () => {
  expect(shouldReload({ standing: 'replaced', failures: 1, hasReloaded: false })).toBe(true);
  expect(shouldReload({ standing: 'replaced', failures: 5, hasReloaded: true })).toBe(false);
});

it('of the same build it is fetched again first', () => {
  expect(shouldReload({ standing: 'same', failures: 1, hasReloaded: false })).toBe(false);
  expect(shouldReload({ standing: 'same', failures: 2, hasReloaded: false })).toBe(true);
  expect(shouldReload({ standing: 'same', failures: 3, hasReloaded: true })).toBe(false);
});

it('while nothing answers, the window stays: there would be nothing in its place', () => {
  expect(shouldReload({ standing: 'silent', failures: 9, hasReloaded: false })).toBe(false);
});

it('a build is known by its first script', () => {
  const page = '<head><script type="module" crossorigin src="/assets/index-B8voPT8u.js"></script></head>';
  expect(entryOf(page)).toBe('/assets/index-B8voPT8u.js');
  expect(entryOf('<p>Bad gateway</p>')).toBeNull();
});
