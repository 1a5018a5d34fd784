import { expect, it } from 'vitest';
import { securityHeaders } from './security-headers.ts';

it('what the api says of security says nothing of https, which the edge decides by the certificate it has shown', () => {
  expect(Object.keys(securityHeaders())).not.toContain('strict-transport-security');
});
