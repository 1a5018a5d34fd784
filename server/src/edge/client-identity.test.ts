import { describe, expect, it } from 'vitest';
import { trustedProxies } from './client-address.ts';
import { createIdentify } from './client-identity.ts';

const identify = createIdentify(trustedProxies(['10.0.0.0/8']));
const said = { forwardedFor: '203.0.113.9', forwardedProto: 'https' };
const silent = { forwardedFor: undefined, forwardedProto: undefined };

describe('who a client is', () => {
  it('is the other end of the connection, whatever it says', () => {
    const found = identify({ remoteAddress: '::ffff:192.0.2.1', isSecure: false, ...said });
    expect(found).toEqual({ address: '192.0.2.1', protocol: 'http', isFixed: true });
  });

  it('is what a proxy says that is trusted, and how it came too', () => {
    const found = identify({ remoteAddress: '10.1.1.1', isSecure: false, ...said });
    expect(found).toEqual({ address: '203.0.113.9', protocol: 'https', isFixed: false });
    const plain = identify({ remoteAddress: '10.1.1.1', isSecure: true, ...said, forwardedProto: 'http' });
    expect(plain.protocol).toBe('http');
    const twice = identify({ remoteAddress: '10.1.1.1', isSecure: false, ...said, forwardedProto: 'https,http' });
    expect(twice.protocol).toBe('https');
  });

  it('came by https where the connection is secure and no proxy says otherwise', () => {
    expect(identify({ remoteAddress: '192.0.2.1', isSecure: true, ...silent }).protocol).toBe('https');
    expect(identify({ remoteAddress: '10.1.1.1', isSecure: true, ...silent }).protocol).toBe('https');
    expect(identify({ remoteAddress: '192.0.2.1', isSecure: true, ...said, forwardedProto: 'http' }).protocol).toBe(
      'https',
    );
  });

  it('is what another part of the edge says', () => {
    const found = identify({ remoteAddress: null, isSecure: false, ...said });
    expect(found).toEqual({ address: '203.0.113.9', protocol: 'https', isFixed: false });
  });
});
