import { describe, expect, it } from 'vitest';
import { recordsFor, type WantedName } from './records.ts';

const wanted: WantedName = {
  hostname: 'www.example.org',
  isApex: false,
  target: 'shop.apps.test',
  addresses: ['192.0.2.1', '2001:db8::1'],
  text: { name: '_lilac-verify.www.example.org', value: 'lilac-verify=abc' },
  proofs: { byAddress: true, byAlias: true },
  doubts: { wereThere: false, areAround: false, isFormerTarget: false, isNearPlatform: false },
};
const text = { type: 'TXT', ...wanted.text };
const link = { type: 'CNAME', name: 'www.example.org', value: 'shop.apps.test' };
const addresses = [
  { type: 'A', name: 'www.example.org', value: '192.0.2.1' },
  { type: 'AAAA', name: 'www.example.org', value: '2001:db8::1' },
];

describe('the records to create', () => {
  it.each<[string, Partial<WantedName>, object[]]>([
    ['a link to the generated name', {}, [link]],
    ['addresses where no link may be', { isApex: true }, addresses],
    ['addresses where the generated name is known here only', { target: null }, addresses],
    ['a link for an apex too where no address is known', { isApex: true, addresses: [] }, [link]],
    ['none where nothing is known', { target: null, addresses: [] }, []],
    ['a link, though another organisation is near', { proofs: { byAddress: false, byAlias: true } }, [link]],
    [
      'addresses and the text where another organisation is near',
      { isApex: true, proofs: { byAddress: false, byAlias: true } },
      [...addresses, text],
    ],
    ['a link and the text where another had the name', { proofs: { byAddress: false, byAlias: false } }, [link, text]],
    ['a link at the star, and the text', { hostname: '*.example.org' }, [{ ...link, name: '*.example.org' }, text]],
  ])('are %s', (_title, change, records) => {
    expect(recordsFor({ ...wanted, ...change })).toEqual(records);
  });
});
