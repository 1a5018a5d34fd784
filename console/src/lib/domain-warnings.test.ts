import { domainProblems } from '@lilac/contract/domains';
import { expect, it } from 'vitest';
import { describeWarning } from './domain-warnings.ts';

it('every problem with a domain is told in words of its own, with its name', () => {
  const ids = { application_id: 'app_1', environment_id: 'env_1', subject: 'Shop / production' };
  const told = domainProblems.map((problem) => describeWarning({ ...ids, problem, domain: 'www.example.org' }));
  expect(new Set(told).size).toBe(domainProblems.length);
  expect(told.every((text) => text.includes('www.example.org'))).toBe(true);
});
