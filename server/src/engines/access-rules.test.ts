import { describe, expect, it } from 'vitest';
import type { AccessRules } from './server.ts';
import { mayCome, rulesOf } from './access-rules.ts';

const INSTANCES = { instanceNetworks: ['10.213.36.0/22'], ownAddresses: ['10.213.36.1'] };
const SHARED = { instanceNetworks: ['127.0.0.0/8'], ownAddresses: [] };
const ANYWHERE = ['0.0.0.0/0', '::/0'];

const cases: [what: string, access: AccessRules, address: string, encrypted: boolean, expected: boolean][] = [
  ['an instance', { networks: [], ...INSTANCES }, '10.213.37.9', false, true],
  ['an instance that encrypts', { networks: [], ...INSTANCES }, '10.213.37.9', true, true],
  ['the machine itself, to a private one', { networks: [], ...INSTANCES }, '10.213.36.1', true, false],
  ['the machine itself, to a public one, encrypted', { networks: ANYWHERE, ...INSTANCES }, '10.213.36.1', true, true],
  [
    'the machine itself, to a public one, in the clear',
    { networks: ANYWHERE, ...INSTANCES },
    '10.213.36.1',
    false,
    false,
  ],
  ['a stranger, to a private one', { networks: [], ...INSTANCES }, '198.51.100.7', true, false],
  ['anybody, to a public one', { networks: ANYWHERE, ...INSTANCES }, '198.51.100.7', true, true],
  ['anybody, in the clear', { networks: ANYWHERE, ...INSTANCES }, '198.51.100.7', false, false],
  ['anybody by IPv6', { networks: ANYWHERE, ...INSTANCES }, '2001:db8::7', true, true],
  ['IPv6 where only IPv4 was named', { networks: ['0.0.0.0/0'], ...INSTANCES }, '2001:db8::7', true, false],
  ['loopback, to a public one', { networks: ANYWHERE, ...INSTANCES }, '127.0.0.1', false, true],
  ['loopback by IPv6', { networks: ANYWHERE, ...INSTANCES }, '::1', false, true],
  ['loopback, to a private one', { networks: [], ...INSTANCES }, '127.0.0.1', false, false],
  ['a part of loopback', { networks: ['127.0.0.8/30'], ...INSTANCES }, '127.0.0.9', false, true],
  ['another part of loopback', { networks: ['127.0.0.8/30'], ...INSTANCES }, '127.0.0.1', false, false],
  ['one who was named', { networks: ['203.0.113.0/24'], ...INSTANCES }, '203.0.113.200', true, true],
  ['a neighbour of one who was named', { networks: ['203.0.113.4/32'], ...INSTANCES }, '203.0.113.5', true, false],
  ['one who was named without bits', { networks: ['203.0.113.4'], ...INSTANCES }, '203.0.113.4', true, true],
  ['an instance on the shared network', { networks: [], ...SHARED }, '127.0.0.1', false, true],
];

describe('who may come', () => {
  it.each(cases)('%s', (_what, access, address, encrypted, expected) => {
    expect(mayCome(rulesOf(access), address, encrypted)).toBe(expected);
  });
});
