import { expect, it } from 'vitest';
import { environmentPlaces } from './environment-places.ts';

const labelsFor = (typed: string) =>
  environmentPlaces({ id: 'env_1', name: 'production', is_production: true }, { application: 'Shop', typed }).map(
    ({ label }) => label,
  );

it('the page of an environment is there whatever is typed, and no tab that nobody asked for', () => {
  for (const words of ['', 'shop', 'shop production', 'l']) expect(labelsFor(words)).toEqual(['Shop / production']);
});

it.each([
  ['shop logs', ['Logs']],
  ['LOGS shop', ['Logs']],
  ['shop var', ['Variables']],
  ['shop vars', ['Variables']],
  ['shop set', ['Settings']],
  ['shop met dom', ['Metrics', 'Domain']],
  ['shop activity', ['Activity']],
])('%j finds its %j', (typed, tabs) => {
  expect(labelsFor(typed)).toEqual(['Shop / production', ...tabs.map((tab) => `Shop / production / ${tab}`)]);
});

it('a tab leads to its address', () => {
  const places = environmentPlaces(
    { id: 'env_1', name: 'x', is_production: false },
    { application: 'Shop', typed: 'shop logs' },
  );
  expect(places.map(({ href }) => href)).toEqual(['/environments/env_1', '/environments/env_1/logs']);
});
