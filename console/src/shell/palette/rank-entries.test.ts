import { expect, it } from 'vitest';
import { environmentPlaces } from './environment-places.ts';
import { rankEntries } from './rank-entries.ts';

/** As the platform lists them, and in the other order too: it is not the order that decides. */
const names = ['production', 'dev', 'preview-2', 'preview'];

function found(typed: string, listed: readonly string[]): string[] {
  const environments = listed.map((name) => ({ id: name, name, is_production: name === 'production' }));
  const places = environments.flatMap((each) => environmentPlaces(each, { application: 'Shop', typed }));
  const entries = [
    ...places.map((place) => ({ ...place, kind: 'Environment' })),
    { label: 'Shop', kind: 'Application' },
  ];
  return rankEntries(typed, entries).map(({ label }) => label);
}

it.each([names, names.toReversed()].map((listed) => [listed]))('of %j', (listed) => {
  expect(found('shop', listed).slice(0, 3), 'the application, then what is live').toEqual([
    'Shop',
    'Shop / production',
    'Shop / dev',
  ]);
  expect(found('shop logs', listed)[0]).toBe('Shop / production / Logs');
  expect(found('shop pr', listed)[0]).toBe('Shop / production');
  expect(found('shop dev', listed)[0], 'who names another means it').toBe('Shop / dev');
  expect(found('shop preview', listed), 'the shorter of two others').toEqual(['Shop / preview', 'Shop / preview-2']);
});
