import { afterEach, expect, it, vi } from 'vitest';
import { keepsCookies } from './keeps-cookies.ts';

afterEach(() => vi.unstubAllGlobals());

/** The cookies of a page, as browsers do it: each write is of one, and what has no more time is gone. */
class FakePage {
  readonly cookies = new Map([['another', 'one']]);
  get cookie() {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }
  set cookie(text: string) {
    const [name = '', value = ''] = text.split(';', 1)[0]!.split('=');
    if (text.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

it('a browser that keeps cookies is left with none more than before', () => {
  const page = new FakePage();
  vi.stubGlobal('document', page);
  expect(keepsCookies()).toBe(true);
  expect(page.cookie).toBe('another=one');
});

it('one that drops them without a word is known by that', () => {
  const page = new FakePage();
  vi.stubGlobal('document', page);
  vi.spyOn(page.cookies, 'set').mockReturnThis();
  expect(keepsCookies()).toBe(false);
});
