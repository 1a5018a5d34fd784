import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forgiving } from './kept-texts.ts';

const refuse = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
};

function fakeStorage() {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  };
}

it('what a browser keeps is kept there, and seen when another tab changes it', () => {
  const storage = fakeStorage();
  const kept = forgiving(() => storage);
  expect(kept.getItem('theme')).toBeNull();
  expect(kept.setItem('theme', 'dark'), 'it outlasts the page').toBe(true);
  storage.texts.set('theme', 'light');
  expect(kept.getItem('theme')).toBe('light');
  kept.removeItem('theme');
  expect([...storage.texts]).toEqual([]);
});

it('what a browser blocks lasts as long as the page', () => {
  const kept = forgiving(refuse);
  expect(kept.getItem('theme')).toBeNull();
  expect(kept.setItem('theme', 'dark'), 'it outlasts the page').toBe(false);
  expect(kept.getItem('theme')).toBe('dark');
  kept.removeItem('theme');
  expect(kept.getItem('theme')).toBeNull();
});

it('a browser that is full forgets nothing while the page lasts, and keeps it again when there is room', () => {
  const storage = fakeStorage();
  let isFull = true;
  const kept = forgiving(() => ({ ...storage, setItem: isFull ? refuse : storage.setItem }));
  storage.texts.set('theme', 'light');
  kept.setItem('theme', 'dark');
  expect([kept.getItem('theme'), storage.texts.get('theme')]).toEqual(['dark', 'light']);
  isFull = false;
  kept.setItem('theme', 'system');
  expect([kept.getItem('theme'), storage.texts.get('theme')]).toEqual(['system', 'system']);
});

it('nothing else in the console asks a storage of the browser', () => {
  const source = join(import.meta.dirname, '..');
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  const asking = files.filter((file) => /\b(local|session)Storage\b/.test(readFileSync(join(source, file), 'utf8')));
  expect(asking).toEqual(['lib/kept-texts.ts']);
});
