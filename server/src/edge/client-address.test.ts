import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config.ts';
import { clientAddress, trustedProxies } from './client-address.ts';

const nobody = trustedProxies([]);
const trusted = trustedProxies(['10.0.0.0/8', '2001:db8::/32', '192.0.2.9']);

describe('the client', () => {
  it('is the other end of the socket, whatever it says itself', () => {
    expect(clientAddress('203.0.113.5', '1.1.1.1', nobody)).toBe('203.0.113.5');
    expect(clientAddress('203.0.113.5', '1.1.1.1', trusted)).toBe('203.0.113.5');
  });

  it('is written as IPv4 when an IPv6 socket took it', () => {
    expect(clientAddress('::ffff:203.0.113.5', undefined, nobody)).toBe('203.0.113.5');
  });

  it('is the right-most address that is no trusted proxy', () => {
    expect(clientAddress('10.1.1.1', '203.0.113.5', trusted)).toBe('203.0.113.5');
    expect(clientAddress('10.1.1.1', '6.6.6.6, 203.0.113.5, 10.2.2.2', trusted)).toBe('203.0.113.5');
    expect(clientAddress('::ffff:10.1.1.1', '203.0.113.5, 192.0.2.9', trusted)).toBe('203.0.113.5');
    expect(clientAddress('2001:db8::1', '2001:db9::7', trusted)).toBe('2001:db9::7');
  });

  it('is the outermost proxy when all are trusted or nothing is reported', () => {
    expect(clientAddress('10.1.1.1', undefined, trusted)).toBe('10.1.1.1');
    expect(clientAddress('10.1.1.1', '10.3.3.3, 10.2.2.2', trusted)).toBe('10.3.3.3');
  });

  it('is never what lies beyond an entry that is no address', () => {
    expect(clientAddress('10.1.1.1', '6.6.6.6, unknown', trusted)).toBe('10.1.1.1');
    expect(clientAddress('10.1.1.1', '6.6.6.6, evil, 10.2.2.2', trusted)).toBe('10.2.2.2');
  });

  it('may be reported with its port', () => {
    expect(clientAddress('10.1.1.1', '203.0.113.5:4711', trusted)).toBe('203.0.113.5');
    expect(clientAddress('10.1.1.1', '[2001:db9::7]:4711', trusted)).toBe('2001:db9::7');
  });

  it('cannot be forged: nothing in the header moves an untrusted socket', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(clientAddress('203.0.113.5', header, trusted)).toBe('203.0.113.5');
      }),
    );
  });
});

describe('LILAC_TRUSTED_PROXIES', () => {
  it.each(['proxy.example.org', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '2001:db8::/129', '/8'])(
    'refuses %s',
    (entry) => {
      expect(() => trustedProxies([entry])).toThrow(ConfigError);
    },
  );
});
