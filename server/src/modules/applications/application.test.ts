import { expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { applicationUrl } from './application.ts';

it.each([
  [{}, 'http://shop.localhost:7080'],
  [{ LILAC_PORT: '8080' }, 'http://shop.localhost:8080'],
  [{ LILAC_PORT: '80' }, 'http://shop.localhost'],
  [
    { LILAC_PUBLIC_URL: 'https://lilac.example.org', LILAC_APPS_DOMAIN: 'apps.example.org' },
    'https://shop.apps.example.org',
  ],
  [
    { LILAC_PUBLIC_URL: 'https://lilac.example.org:8443', LILAC_APPS_DOMAIN: 'Apps.Example.org' },
    'https://shop.apps.example.org:8443',
  ],
])('with %o an application lives at %s', (environment, url) => {
  expect(applicationUrl(readConfig(environment), 'shop')).toBe(url);
});
