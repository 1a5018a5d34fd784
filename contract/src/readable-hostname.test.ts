import { domainToASCII } from 'node:url';
import { expect, it } from 'vitest';
import { readableHostname } from './readable-hostname.ts';

it.each([
  'bücher.example',
  'faß.de',
  'пример.испытание',
  '例え.jp',
  '*.müller-straße.example',
  'ελλάδα.gr',
  '☃.net',
  'München.中国.example',
])('%s is shown as it is read, and as it is in DNS', (name) => {
  const written = name.toLowerCase();
  const star = written.startsWith('*.') ? '*.' : '';
  const ascii = star + domainToASCII(written.slice(star.length));
  expect(readableHostname(ascii)).toBe(`${written} (${ascii})`);
});

it.each([
  'www.example.org',
  '*.example.org',
  'xn--zz.test',
  'xn--.com',
  'xn---.com',
  'xn--a b.com',
  'xn--99999999999.com',
])('%s stays as it is', (name) => {
  expect(readableHostname(name)).toBe(name);
});
