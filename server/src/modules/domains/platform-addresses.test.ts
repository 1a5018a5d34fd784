import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { DnsUnavailable } from '../../dns/dns-lookup.ts';
import { createPlatformAddresses, isAmong } from './platform-addresses.ts';

const read = (environment: Record<string, string>, addresses: (name: string) => Promise<string[]>) =>
  createPlatformAddresses({ config: readConfig(environment), dns: { addresses } });
const silent = () => Promise.reject(new DnsUnavailable('silent'));
const nobody = () => Promise.reject(new Error('nobody is to be asked'));

describe('the addresses of the platform', () => {
  it('are those that the operator has named', async () => {
    const named = { LILAC_PUBLIC_ADDRESSES: '192.0.2.1, 2001:db8::1', LILAC_PUBLIC_URL: 'https://hub.test' };
    expect(await read(named, nobody)()).toEqual(['192.0.2.1', '2001:db8::1']);
  });

  it('are that of the public URL, or none where that is local', async () => {
    expect(await read({ LILAC_PUBLIC_URL: 'http://192.0.2.5:7080' }, nobody)()).toEqual(['192.0.2.5']);
    expect(await read({ LILAC_PUBLIC_URL: 'http://[2001:db8::5]:7080' }, nobody)()).toEqual(['2001:db8::5']);
    expect(await read({}, nobody)()).toEqual([]);
  });

  it('are what its host resolves to, asked for once in a while', async () => {
    const asked: string[] = [];
    const addresses = read({ LILAC_PUBLIC_URL: 'https://hub.test' }, async (name) => {
      asked.push(name);
      return ['192.0.2.1'];
    });
    expect(await Promise.all([addresses(), addresses()])).toEqual([['192.0.2.1'], ['192.0.2.1']]);
    expect(asked).toEqual(['hub.test']);
  });

  it('are none where the DNS does not tell', async () => {
    expect(await read({ LILAC_PUBLIC_URL: 'https://hub.test' }, silent)()).toEqual([]);
  });

  it('are the same however they are written', () => {
    expect(isAmong(['2001:db8::1', '192.0.2.1'], '2001:0DB8:0:0:0:0:0:1')).toBe(true);
    expect(isAmong(['2001:db8::1', '192.0.2.1'], '192.0.2.2')).toBe(false);
    expect(isAmong([], '192.0.2.2')).toBe(false);
  });
});
