import { describe, expect, it } from 'vitest';
import { isProxied } from './proxy.ts';

describe('isProxied', () => {
  const url = new URL('https://git.example.org/a/b');

  it('is true where a proxy is set for the scheme', () => {
    expect(isProxied({}, url)).toBe(false);
    expect(isProxied({ https_proxy: 'http://proxy:3128' }, url)).toBe(true);
    expect(isProxied({ HTTPS_PROXY: 'http://proxy:3128' }, url)).toBe(true);
    expect(isProxied({ http_proxy: 'http://proxy:3128' }, url)).toBe(false);
  });

  it('is false for hosts that are exempt', () => {
    const proxy = { https_proxy: 'http://proxy:3128' };
    for (const exempt of ['*', 'example.org', '.example.org', '*.example.org', 'a.b, git.example.org:443']) {
      expect(isProxied({ ...proxy, no_proxy: exempt }, url)).toBe(false);
    }
    for (const other of ['', 'ample.org', 'example.org.evil', 'localhost,127.0.0.1']) {
      expect(isProxied({ ...proxy, NO_PROXY: other }, url)).toBe(true);
    }
  });
});
