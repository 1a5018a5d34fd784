import { describe, expect, it } from 'vitest';
import { isProxied, proxyFor, proxyVariables } from './proxy.ts';

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
    const there = (host: string, NO_PROXY: string) =>
      isProxied({ ...proxy, NO_PROXY }, new URL(`https://${host}/`)) ? 'by proxy' : 'directly';
    expect([there('10.1.2.3', '10.0.0.0/8'), there('11.1.2.3', '10.0.0.0/8')]).toEqual(['directly', 'by proxy']);
    expect([there('[::1]', '::1'), there('[::1]', '[::1]'), there('[::2]', '::1')]).toEqual([
      'directly',
      'directly',
      'by proxy',
    ]);
  });
});

describe('proxyFor', () => {
  const [http, https] = [new URL('http://git.example.org/'), new URL('https://git.example.org/')];

  it('is the one of the scheme, in lower case first, with or without a scheme of its own', () => {
    const variables = { HTTP_PROXY: 'http://one:1', HTTPS_PROXY: 'http://two:2', https_proxy: 'three:3' };
    expect(proxyFor(variables, http)?.href).toBe('http://one:1/');
    expect(proxyFor(variables, https)?.href).toBe('http://three:3/');
  });
});

describe('proxyVariables', () => {
  it('has programs find in lower case what was set in capitals only, and nothing else', () => {
    expect(proxyVariables({ HTTP_PROXY: 'http://one:1', NO_PROXY: 'a', PIP_CERT: '/x' })).toEqual({
      http_proxy: 'http://one:1',
      NO_PROXY: 'a',
    });
    const both = { HTTP_PROXY: 'http://one:1', http_proxy: 'http://two:2' };
    expect(proxyVariables(both)).toEqual({ http_proxy: 'http://two:2' });
  });
});
