import { expect, it } from 'vitest';
import { sameSiteSources } from './same-site-sources.ts';

it.each([
  ['https://github.com', 'https://github.com:* https://*.github.com:*'],
  ['https://git.example.org:8443/code', 'https://example.org:* https://*.example.org:*'],
  ['https://git.example.co.uk', 'https://example.co.uk:* https://*.example.co.uk:*'],
  ['https://example.co.uk', 'https://example.co.uk:* https://*.example.co.uk:*'],
  ['https://git.bmw.de', 'https://bmw.de:* https://*.bmw.de:*'],
  ['https://git.uni.lu', 'https://uni.lu:* https://*.uni.lu:*'],
  ['https://git.x.ai', 'https://x.ai:* https://*.x.ai:*'],
  ['https://git.firm.info.tr', 'https://firm.info.tr:* https://*.firm.info.tr:*'],
  ['https://git.acme.uk.com', 'https://acme.uk.com:* https://*.acme.uk.com:*'],
  ['https://acme.ghe.com', 'https://acme.ghe.com:* https://*.acme.ghe.com:*'],
  ['https://github.io', 'https://github.io:*'],
  ['http://localhost:3000', 'http://localhost:*'],
  ['http://192.0.2.7:3000', 'http://192.0.2.7:*'],
  ['http://[2001:db8::7]', 'http://[2001:db8::7]:*'],
])('the site of %s is %s', (url, sources) => {
  expect(sameSiteSources(new URL(url)).join(' ')).toBe(sources);
});
