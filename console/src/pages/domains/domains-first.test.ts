import { expect, it } from 'vitest';
import { domainsFirst } from './domains-first.ts';

const of = (name: string, ...domains: (string | null)[]) => ({
  name,
  environments: domains.map((custom_domain) => ({ custom_domain })),
});

it('applications with a domain in any environment come first, each in the order they had', () => {
  const shown = domainsFirst([of('a', null), of('b', null, 'b.example.org'), of('c'), of('d', 'd.example.org')]);
  expect(shown.map(({ name }) => name)).toEqual(['b', 'd', 'a', 'c']);
});
