import { expect, it } from 'vitest';
import { usualApplication } from './usual-application.ts';

const site = { deployment_type: 'static' } as const;
const server = { deployment_type: 'container' } as const;

it('a server comes before the sites of files, which come only where there is none', () => {
  expect(usualApplication([site, server])).toBe(server);
  expect(usualApplication([site])).toBe(site);
  expect(usualApplication([])).toBeUndefined();
});
