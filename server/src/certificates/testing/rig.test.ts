import { Resolver } from 'node:dns/promises';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startDnsServer } from './dns-server.ts';
import { startPebble } from './pebble.ts';

describe('the DNS server of tests', () => {
  it('answers what it was told last, and says what is not there', async () => {
    await using dns = await startDnsServer([
      { type: 'A', name: 'example.org', value: '192.0.2.1' },
      { type: 'A', name: 'example.org', value: '192.0.2.2' },
      { type: 'AAAA', name: 'example.org', value: '2001:db8::1' },
      { type: 'SOA', name: 'example.org', value: '' },
    ]);
    const resolver = new Resolver({ timeout: 500, tries: 1 });
    resolver.setServers([dns.address]);
    expect((await resolver.resolve4('example.org')).toSorted()).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(await resolver.resolve6('example.org')).toEqual(['2001:db8::1']);
    expect(await resolver.resolveSoa('example.org')).toMatchObject({ serial: 1 });
    await expect(resolver.resolveTxt('example.org')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolve4('www.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await dns.add(
      { type: 'CNAME', name: 'www.example.org', value: 'example.org' },
      { type: 'TXT', name: '_proof.example.org', value: 'a=b, c' },
      { type: 'A', name: '*.wild.example.org', value: '192.0.2.3' },
    );
    expect(await resolver.resolveCname('www.example.org')).toEqual(['example.org']);
    expect(await resolver.resolveTxt('_proof.example.org')).toEqual([['a=b, c']]);
    expect(await resolver.resolve4('any.wild.example.org')).toEqual(['192.0.2.3']);
    await dns.fail({ servfail: ['broken.example'], silent: ['silent.example'] });
    await expect(resolver.resolve4('a.broken.example')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await expect(resolver.resolve4('a.silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    await dns.remove(({ name }) => name.startsWith('_proof'));
    await expect(resolver.resolveTxt('_proof.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('the certificate authority of tests', () => {
  it('begins anew at the same address', async () => {
    await using dns = await startDnsServer();
    await using pebble = await startPebble({ httpPort: 9, dnsServer: dns.address });
    const first = new X509Certificate(await pebble.root());
    await pebble.stop();
    await expect(pebble.root()).rejects.toThrow('ECONNREFUSED');
    await pebble.start();
    expect(new X509Certificate(await pebble.root()).serialNumber).not.toBe(first.serialNumber);
  });
});
