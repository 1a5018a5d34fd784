import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../certificates/testing/dns-server.ts';
import { createDnsLookup } from './create-dns-lookup.ts';
import { DnsUnavailable, type DnsLookup } from './dns-lookup.ts';

const LONG = 'x'.repeat(200);
const portOf = ({ address }: TestDnsServer) => Number(address.split(':')[1]);

let server: TestDnsServer;
let dns: DnsLookup;
beforeAll(async () => {
  server = await startDnsServer([
    { type: 'A', name: 'both.test', value: '192.0.2.1' },
    { type: 'A', name: 'both.test', value: '192.0.2.2' },
    { type: 'AAAA', name: 'both.test', value: '2001:db8::1' },
    { type: 'AAAA', name: 'six.test', value: '2001:db8::2' },
    { type: 'A', name: 'Shop.Apps.test', value: '192.0.2.1' },
    { type: 'CNAME', name: 'middle.test', value: 'Shop.Apps.test' },
    { type: 'CNAME', name: 'www.test', value: 'middle.test' },
    { type: 'TXT', name: 'text.test', value: 'one' },
    { type: 'TXT', name: 'text.test', value: 'lilac-verify=abc def' },
    { type: 'TXT', name: 'long.test', value: `${LONG}","${LONG}` },
    { type: 'SOA', name: 'zone.test', value: '' },
    { type: 'A', name: 'zone.test', value: '192.0.2.1' },
    { type: 'CNAME', name: 'to-zone.test', value: 'zone.test' },
    { type: 'A', name: '*.wild.test', value: '192.0.2.7' },
  ]);
  await server.fail({ servfail: ['broken.test'] });
  dns = createDnsLookup({ servers: [server.address] });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the records of a name, by a real server', () => {
  it('are its addresses of both kinds, links followed', async () => {
    expect((await dns.addresses('both.test')).toSorted()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await dns.addresses('six.test')).toEqual(['2001:db8::2']);
    expect(await dns.addresses('www.test')).toEqual(['192.0.2.1']);
    expect(await dns.addresses('any.wild.test')).toEqual(['192.0.2.7']);
  });

  it('are the links, each in its turn, in lower case', async () => {
    expect(await dns.aliases('www.test')).toEqual(['middle.test', 'shop.apps.test']);
    expect(await dns.aliases('both.test')).toEqual([]);
  });

  it('are texts, each as one, though it came in pieces', async () => {
    expect((await dns.texts('text.test')).toSorted()).toEqual(['lilac-verify=abc def', 'one']);
    expect(await dns.texts('long.test')).toEqual([LONG + LONG]);
  });

  it('are none where the name is not there, or has none of the kind', async () => {
    for (const name of ['nowhere.test', 'text.test', 'a'.repeat(64)]) {
      expect([await dns.addresses(name), await dns.aliases(name)]).toEqual([[], []]);
    }
    expect(await dns.texts('both.test')).toEqual([]);
    expect(await dns.texts('nowhere.test')).toEqual([]);
  });

  it('say where a zone begins; what only leads to one is none', async () => {
    expect(await dns.isZoneApex('zone.test')).toBe(true);
    expect(await dns.isZoneApex('to-zone.test')).toBe(false);
    expect(await dns.isZoneApex('both.test')).toBe(false);
    expect(await dns.isZoneApex('nowhere.test')).toBe(false);
  });
});

describe('servers that do not tell', () => {
  it('fail: whoever keeps the domain is to be asked', async () => {
    const failing = new DnsUnavailable(
      'The DNS servers of www.broken.test fail (SERVFAIL). Ask whoever keeps the DNS of this domain.',
    );
    await expect(dns.addresses('www.broken.test')).rejects.toEqual(failing);
    await expect(dns.aliases('www.broken.test')).rejects.toEqual(failing);
    await expect(dns.texts('www.broken.test')).rejects.toEqual(failing);
    await expect(dns.isZoneApex('www.broken.test')).rejects.toEqual(failing);
  });

  it('never answer: it is given up in time', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const asked = createDnsLookup({ servers: [`127.0.0.1:${silent.address().port}`], withinMs: 50 });
    await expect(asked.addresses('www.test')).rejects.toThrow(/^The DNS servers of www\.test did not answer in time\./);
    silent.close();
  });

  it('are not there: the operator is to be told', async () => {
    const nobody = createDnsLookup({ servers: ['127.0.0.1:9'] });
    await expect(nobody.texts('www.test')).rejects.toThrow(/LILAC_DNS_SERVERS/);
  });
});

describe('those who keep a zone', () => {
  const [name, text] = ['www.kept.test', '_lilac-verify.www.kept.test'];
  const zone = [
    { type: 'NS', name: 'kept.test', value: 'ns.kept.test' },
    { type: 'A', name: 'ns.kept.test', value: '127.0.0.1' },
  ] as const;

  it('know what others do not know yet, or know otherwise', async () => {
    await using others = await startDnsServer([...zone, { type: 'A', name, value: '192.0.2.9' }]);
    await using keeper = await startDnsServer([
      { type: 'A', name, value: '192.0.2.1' },
      { type: 'TXT', name: text, value: 'here' },
      { type: 'SOA', name: 'kept.test', value: '' },
    ]);
    const lookup = createDnsLookup({ servers: [others.address], keepersPort: portOf(keeper) });
    expect(await lookup.addresses(name)).toEqual(['192.0.2.1']);
    expect(await lookup.texts(text)).toEqual(['here']);
    expect(await lookup.isZoneApex('kept.test')).toBe(true);
    // Of other zones they are not asked, and what they do not have others may.
    expect(await lookup.addresses('www.other.test')).toEqual([]);
    expect(await lookup.addresses('ns.kept.test')).toEqual(['127.0.0.1']);
  });

  it('are followed from zone to zone by links', async () => {
    await using others = await startDnsServer([...zone, { type: 'A', name: 'shop.apps.test', value: '192.0.2.1' }]);
    await using keeper = await startDnsServer([
      { type: 'CNAME', name, value: 'shop.apps.test' },
      { type: 'A', name: 'shop.apps.test', value: '192.0.2.66' },
    ]);
    const lookup = createDnsLookup({ servers: [others.address], keepersPort: portOf(keeper) });
    expect(await lookup.aliases(name)).toEqual(['shop.apps.test']);
    expect(await lookup.addresses(name)).toEqual(['192.0.2.1']);
  });

  it('have no say in names that only lead to their zone', async () => {
    await using others = await startDnsServer([
      ...zone,
      { type: 'A', name: 'kept.test', value: '192.0.2.1' },
      { type: 'CNAME', name: 'www.victim.test', value: 'kept.test' },
    ]);
    const forged = '_lilac-verify.www.victim.test';
    await using keeper = await startDnsServer([{ type: 'TXT', name: forged, value: 'forged' }]);
    const lookup = createDnsLookup({ servers: [others.address], keepersPort: portOf(keeper) });
    expect(await lookup.texts(forged)).toEqual([]);
  });

  it('are not asked within the network that the platform is in, unless they were named', async () => {
    const inside = [zone[0], { type: 'A', name: 'ns.kept.test', value: '127.0.0.2' }] as const;
    await using others = await startDnsServer([...inside, { type: 'A', name, value: '192.0.2.9' }]);
    const asked: unknown[] = [];
    const keeper = createSocket('udp4')
      .on('message', (message) => asked.push(message))
      .bind(0, '127.0.0.2');
    await once(keeper, 'listening');
    const lookup = createDnsLookup({ servers: [others.address], keepersPort: keeper.address().port });
    expect(await lookup.addresses(name)).toEqual(['192.0.2.9']);
    expect(asked).toEqual([]);
    keeper.close();
  });

  it('that do not answer are done without', async () => {
    await using others = await startDnsServer([...zone, { type: 'A', name, value: '192.0.2.1' }]);
    const lookup = createDnsLookup({ servers: [others.address], keepersPort: 9 });
    expect(await lookup.addresses(name)).toEqual(['192.0.2.1']);
  });
});

it('sees a record as soon as it is there', async () => {
  await using other = await startDnsServer();
  const lookup = createDnsLookup({ servers: [other.address] });
  expect(await lookup.addresses('late.test')).toEqual([]);
  await other.add({ type: 'A', name: 'late.test', value: '192.0.2.3' });
  expect(await lookup.addresses('late.test')).toEqual(['192.0.2.3']);
});
