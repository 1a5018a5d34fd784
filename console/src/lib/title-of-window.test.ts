import { describe, expect, it } from 'vitest';
import { titleOfWindow } from './title-of-window.ts';

const page = {
  title: 'production',
  crumbs: [
    { href: '/', label: 'Applications' },
    { href: '/apps/1', label: 'server' },
  ],
  tabs: [
    { href: '/environments/1', label: 'Overview' },
    { href: '/environments/1/logs', label: 'Logs' },
  ],
};

describe('the title of a window', () => {
  it('begins with the tab, so that two of one page are told apart', () => {
    expect(titleOfWindow({ ...page, path: '/environments/1/logs' })).toBe('Logs · production · server · Lilac');
  });

  it('of the page itself begins with its name', () => {
    expect(titleOfWindow({ ...page, path: '/environments/1' })).toBe('production · server · Lilac');
    expect(titleOfWindow({ title: 'API keys', path: '/keys' })).toBe('API keys · Lilac');
  });

  it('shows marks in names', () => {
    expect(titleOfWindow({ title: 'a\u202Eb', path: '/' })).toBe('a[U+202E]b · Lilac');
  });
});
