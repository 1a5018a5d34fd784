import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { platformHostnames } from './platform-names.ts';

describe("the platform's own names", () => {
  const hook = { LILAC_DNS_HOOK: '/etc/hook' };
  it.each([
    [{}, []],
    [{ LILAC_PUBLIC_URL: 'https://192.0.2.1' }, []],
    [{ LILAC_PUBLIC_URL: 'https://[2001:db8::1]' }, []],
    [{ LILAC_PUBLIC_URL: 'https://machine' }, []],
    [{ LILAC_PUBLIC_URL: 'https://hub.localhost' }, []],
    [{ LILAC_PUBLIC_URL: 'https://Hub.Example.org:8443' }, ['hub.example.org']],
    [{ LILAC_PUBLIC_URL: 'https://hub.example.org', LILAC_APPS_DOMAIN: 'apps.example.org' }, ['hub.example.org']],
    [{ ...hook, LILAC_APPS_DOMAIN: 'apps.example.org' }, ['*.apps.example.org']],
    [hook, []],
  ])('%j', (environment: Record<string, string>, expected) => {
    expect(platformHostnames(readConfig(environment))).toEqual(expected);
  });
});
