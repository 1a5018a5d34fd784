/** What registries of whole countries put before their own ending: `co.uk`, `com.au`, `ne.jp`. */
const SHARED = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'go',
  'gob',
  'gov',
  'govt',
  'ltd',
  'me',
  'mil',
  'ne',
  'net',
  'nom',
  'or',
  'org',
  'plc',
  'sch',
]);

/**
 * The domain as somebody has registered it, by which authorities count. Without a list of all registries: the last two
 * labels, or three below what is shared in a country.
 */
export function registeredDomainOf(hostname: string): string {
  const labels = hostname.replace(/^\*\./, '').split('.');
  const [ending = '', before = ''] = labels.toReversed();
  const isShared = ending.length === 2 && SHARED.has(before);
  return labels.slice(isShared ? -3 : -2).join('.');
}
