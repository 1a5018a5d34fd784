import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { chooseTheme, storedTheme, watchTheme } from './theme.ts';

let page: EventTarget;
let stored: Map<string, string>;
beforeEach(() => {
  page = new EventTarget();
  stored = new Map();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
  vi.stubGlobal('document', { documentElement: { dataset: {} }, querySelector: () => null });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

it('whoever shows the theme is told when it is chosen, here or in another tab, until they look no more', () => {
  const seen: string[] = [];
  const leave = watchTheme(() => seen.push(storedTheme()));
  chooseTheme('dark');
  stored.set('lilac.theme', 'light');
  page.dispatchEvent(new Event('storage'));
  expect(seen).toEqual(['dark', 'light']);
  leave();
  page.dispatchEvent(new Event('storage'));
  chooseTheme('system');
  expect(seen).toHaveLength(2);
});
