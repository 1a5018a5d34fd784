import { describe, expect, it } from 'vitest';
import { judgeDns, NO_ADDRESS, reachesHere, type DnsFindings, type Judged } from './judge-dns.ts';

const TEXT = { name: '_lilac-verify.www.example.org', value: 'lilac-verify=abc' };
const wanted: Judged = {
  hostname: 'www.example.org',
  isApex: false,
  target: 'shop.apps.test',
  appsDomain: 'apps.test',
  addresses: ['192.0.2.1', '2001:db8::1'],
  text: TEXT,
  proofs: { byAddress: true, byAlias: true },
  doubts: { wereThere: false, areAround: false, isFormerTarget: false, isNearPlatform: false },
  wasProved: false,
};
const nothing: DnsFindings = {
  name: 'www.example.org',
  aliases: [],
  isAliasUnknown: false,
  addresses: [],
  texts: [],
  isPassedOn: false,
  trouble: null,
};

const judge = (found: Partial<DnsFindings>, change: Partial<Judged> = {}) =>
  judgeDns({ ...wanted, ...change }, { ...nothing, ...found });
const fine = { isProved: true, isPointing: true, error: null, fault: null };

const rivals = { proofs: { byAddress: false, byAlias: true } };
const left = { proofs: { byAddress: false, byAlias: false } };
const here = { addresses: ['192.0.2.1'] };
const linked = { aliases: ['shop.apps.test'], ...here };
const told = { texts: ['something else', TEXT.value] };

describe('a name is proved and leads here', () => {
  it.each<[string, Partial<DnsFindings>, Partial<Judged>]>([
    ['by a link to the environment’s name', linked, {}],
    ['by a link to it over others', { aliases: ['cdn.example.org', 'shop.apps.test'], ...here }, {}],
    ['by a link, though another organisation is near', linked, rivals],
    ['by addresses', { addresses: ['2001:db8:0:0::1', '192.0.2.1'] }, {}],
    ['by the text, with addresses that others have too', { ...told, ...here }, rivals],
    ['by the text, with a link that was left behind', { ...told, ...linked }, left],
    ['by the text, with a link to another environment’s name', { ...told, aliases: ['old.apps.test'], ...here }, {}],
    ['by the text, with a proxy that passes on', { ...told, addresses: ['198.51.100.1'], isPassedOn: true }, {}],
    ['by a link, though the text could not be asked for', { ...linked, trouble: 'SERVFAIL' }, {}],
  ])('%s', (_title, found, change) => {
    expect(judge(found, change)).toEqual(fine);
  });
});

describe('a name is not proved', () => {
  it.each<[string, Partial<DnsFindings>, Partial<Judged>, RegExp]>([
    [
      'by addresses where another organisation is near',
      here,
      rivals,
      /^www\.example\.org leads here, but another organisation .* TXT record at _lilac-verify\.www\.example\.org with the value lilac-verify=abc\.$/,
    ],
    ['by a link that was left behind', linked, left, /another organisation of this platform has, or had, it/],
    [
      'by a link to a generated name that has changed hands',
      linked,
      { ...left, doubts: { ...wanted.doubts, isFormerTarget: true } },
      /^www\.example\.org leads here, but another organisation .* had shop\.apps\.test before, and the record may/,
    ],
    [
      'by addresses where the platform itself is near',
      here,
      { ...rivals, doubts: { ...wanted.doubts, isNearPlatform: true } },
      /it belongs to the same domain as this platform, /,
    ],
    ['by a text of somebody else’s', { texts: ['lilac-verify=other'], ...here }, rivals, /TXT record/],
    [
      'as a wildcard, by addresses',
      here,
      { hostname: '*.example.org', ...rivals },
      /^\*\.example\.org leads here\. To show that it is yours, create a TXT/,
    ],
  ])('%s', (_title, found, change, error) => {
    expect(judge(found, change)).toEqual({
      isProved: false,
      isPointing: true,
      error: expect.stringMatching(error),
      fault: 'missing',
    });
  });

  const othersName =
    /^www\.example\.org leads to other\.apps\.test, which is not this environment's name\. .*shop\.apps\.test, or create a TXT/;

  it.each([false, true])(
    'by a link to the name of another environment, whether it was proved (%s) or not',
    (wasProved) => {
      const verdict = judge({ aliases: ['other.apps.test'], ...here }, { wasProved });
      expect(verdict).toEqual({
        isProved: false,
        isPointing: false,
        error: expect.stringMatching(othersName),
        fault: 'wrong',
      });
    },
  );

  it('again once it was', () => {
    const before = { wasProved: true };
    expect(judge(here, { ...rivals, ...before })).toMatchObject({ isProved: false, isPointing: true, error: null });
    expect(judge({}, before)).toMatchObject({ isPointing: false, error: expect.stringContaining('No CNAME record') });
  });
});

describe('where the alias could not be asked for', () => {
  const unknown = { ...here, isAliasUnknown: true, trouble: 'The servers fail.' };

  it.each([false, true])('addresses prove nothing, and tell nothing new (proved before: %s)', (wasProved) => {
    expect(judge(unknown, { wasProved })).toEqual({
      isProved: false,
      isPointing: null,
      error: 'The servers fail.',
      fault: null,
    });
  });

  it('the text still proves it', () => {
    expect(judge({ ...unknown, ...told })).toEqual(fine);
  });
});

describe('whoever asks at a name asks this platform', () => {
  it.each<[string, Partial<DnsFindings>, boolean | null]>([
    ['by addresses', here, true],
    ['by a link to a name that the environment had before', { aliases: ['old.apps.test'] }, true],
    ['by a proxy that passes on', { addresses: ['198.51.100.1'], isPassedOn: true }, true],
    ['not where it has no record', {}, false],
    ['not where it leads elsewhere', { addresses: ['198.51.100.1'] }, false],
    ['or nobody can tell', { trouble: 'The servers fail.' }, null],
  ])('%s', (_title, found, expected) => {
    expect(reachesHere(wanted, { ...nothing, ...found })).toBe(expected);
  });
});

describe('a name does not lead here', () => {
  it.each<[string, Partial<DnsFindings>, Partial<Judged>, string]>([
    [
      'it has no record',
      {},
      {},
      'No CNAME record was found at www.example.org yet. Create the CNAME record at www.example.org with the value shop.apps.test.',
    ],
    [
      'it has no record, and needs an address',
      {},
      { isApex: true },
      'No A record was found at www.example.org yet. Create the A record at www.example.org with the value 192.0.2.1.',
    ],
    [
      'it has another address',
      { addresses: ['192.0.2.9'] },
      {},
      "www.example.org has the address 192.0.2.9, which is not this platform's. Create the CNAME record at www.example.org with the value shop.apps.test in its place.",
    ],
    [
      'it has other addresses besides',
      { addresses: ['192.0.2.1', '192.0.2.9', '2001:db8::9'] },
      { isApex: true },
      "www.example.org has the addresses 192.0.2.9, 2001:db8::9, which are not this platform's. It should have A 192.0.2.1, AAAA 2001:db8::1 and no other.",
    ],
    [
      'it leads elsewhere',
      { aliases: ['a.example.com', 'b.example.com'], addresses: ['192.0.2.9'] },
      {},
      'www.example.org leads to b.example.com, which is not here. Create the CNAME record at www.example.org with the value shop.apps.test in its place.',
    ],
    ['the platform has no address', {}, { target: null, addresses: [] }, NO_ADDRESS],
    [
      'a name that only ends like ours is not ours',
      { aliases: ['evil-apps.test.example.com'] },
      {},
      'www.example.org leads to evil-apps.test.example.com, which is not here. Create the CNAME record at www.example.org with the value shop.apps.test in its place.',
    ],
  ])('%s', (_title, found, change, error) => {
    const fault = found.aliases || found.addresses ? 'wrong' : 'missing';
    expect(judge(found, change)).toEqual({ isProved: false, isPointing: false, error, fault });
  });

  it.each<[string, Partial<DnsFindings>, Partial<Judged>, RegExp]>([
    [
      'one address',
      { addresses: ['10.0.0.7'] },
      {},
      /^www\.example\.org has an address that is not public, which is not/,
    ],
    [
      'some of its addresses',
      { addresses: ['192.0.2.9', 'fd00::7', '192.168.0.1'] },
      { isApex: true },
      /^www\.example\.org has the addresses 192\.0\.2\.9, some that are not public, which are not/,
    ],
    ['a name', { aliases: ['db.corp.internal'] }, {}, /leads to a name that is not public, which is not here/],
    [
      'a name with such an address',
      { aliases: ['intranet.example.com'], addresses: ['10.0.0.7'] },
      {},
      /leads to a name that is not public/,
    ],
  ])('and what the operator’s own network has is not told: %s', (_title, found, change, error) => {
    const verdict = judge(found, change);
    expect(verdict.error).toMatch(error);
    expect(verdict.error).not.toMatch(/10\.0\.0|fd00|192\.168|internal|intranet/);
  });

  it('with the text and an address of somebody else’s: it is proved, and the record is wrong', () => {
    expect(judge({ ...told, addresses: ['198.51.100.1'] })).toEqual({
      isProved: true,
      isPointing: false,
      fault: 'wrong',
      error: expect.stringMatching(/has the address 198\.51\.100\.1, .*CNAME record .* If a proxy of yours is there/),
    });
  });

  it('with the text alone: it is proved, and a record is missing', () => {
    expect(judge(told)).toEqual({
      isProved: true,
      isPointing: false,
      fault: 'missing',
      error: expect.stringMatching(/^No CNAME record was found/),
    });
  });

  it('as far as anybody can tell: the DNS is out of order', () => {
    expect(judge({ trouble: 'The servers fail.' })).toEqual({
      isProved: false,
      isPointing: null,
      error: 'The servers fail.',
      fault: null,
    });
  });
});
