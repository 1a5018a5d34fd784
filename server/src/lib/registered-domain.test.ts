import { expect, it } from 'vitest';
import { registeredDomainOf } from './registered-domain.ts';

it.each([
  ['example.org', 'example.org'],
  ['deep.www.example.org', 'example.org'],
  ['*.example.org', 'example.org'],
  ['www.shop.co.uk', 'shop.co.uk'],
  ['shop.com.au', 'shop.com.au'],
  ['www.firm.de', 'firm.de'],
  ['co.com', 'co.com'],
])('%s counts for %s', (hostname, domain) => {
  expect(registeredDomainOf(hostname)).toBe(domain);
});
