import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config.ts';
import { clientAddress, trustedProxies } from './client-address.ts';

const nobody = trustedProxies([]);
const trusted = trustedProxies(['10.0.0.0/8', '2001:db8::/32', '192.0.2.9']);

/** Lists of addresses in every form that a proxy writes, of strangers and of proxies, and of what is none. */
const port = fc.nat(65_535);
const forgedEntry = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(fc.ipV4(), fc.ipV6()) },
  fc.tuple(fc.ipV4(), port).map(([address, number]) => `${address}:${number}`),
  fc.tuple(fc.ipV6(), port).map(([address, number]) => `[${address}]:${number}`),
  fc.ipV4().map((address) => `::ffff:${address}`),
  fc.constantFrom('10.2.2.2', '2001:db8::9', '192.0.2.9', '127.0.0.1', '::1'),
  fc.string(),
);
const forgedHeaders = fc
  .tuple(fc.array(forgedEntry, { minLength: 1, maxLength: 5 }), fc.constantFrom(',', ', ', ' ,\t'))
  .map(([entries, comma]) => entries.join(comma));

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
    let tempting = 0;
    fc.assert(
      fc.property(forgedHeaders, (header) => {
        expect(clientAddress('203.0.113.5', header, trusted)).toBe('203.0.113.5');
        if (clientAddress('10.1.1.1', header, trusted) !== '10.1.1.1') tempting++;
      }),
    );
    // These would have moved a trusted one.
    expect(tempting).toBeGreaterThan(20);
  });

  it('cannot be forged: what stands before the word of a trusted proxy is not heard', () => {
    const hops = fc.array(fc.constantFrom('10.2.2.2', '2001:db8::9', '192.0.2.9:80'), { maxLength: 2 });
    fc.assert(
      fc.property(forgedHeaders, hops, (forged, proxies) => {
        const header = [forged, '203.0.113.5', ...proxies].join(', ');
        expect(clientAddress('10.1.1.1', header, trusted)).toBe('203.0.113.5');
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
