import { expect, it } from 'vitest';
import { whoseEnvironments } from './whose-environments.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();

function application(name: string, { created = 1, deployed }: { created?: number; deployed?: number } = {}) {
  const last_deployment = deployed === undefined ? null : { started_at: day(deployed) };
  return { id: `app_${name}`, name, created_at: day(created), last_deployment };
}

const namesFor = (typed: string, first: ReturnType<typeof application>[], all = first) =>
  whoseEnvironments(typed, { first, all }).map(({ name }) => name);

it('a few applications are all looked through, whatever is typed', () => {
  const few = [application('Shop'), application('Blog')];
  for (const typed of ['production', 'staging', 'production logs', 'shop'])
    expect(namesFor(typed, few).toSorted()).toEqual(['Blog', 'Shop']);
  expect(namesFor('p', few), 'nothing is asked for before the second letter').toEqual([]);
});

it('of many those that were deployed last are, or were created last where nothing was deployed', () => {
  const deployed = Array.from({ length: 30 }, (_, n) => application(`Site-${n}`, { deployed: n + 1 }));
  const many = [...deployed, application('New', { created: 40 }), application('Idle')];
  const expected = ['New', ...Array.from({ length: 19 }, (_, n) => `Site-${29 - n}`)];
  expect(namesFor('production', many)).toEqual(expected);
  expect(namesFor('staging', many.toReversed())).toEqual(expected);
});

it('before them those are whose names fit best, by as many words as there are, in any order', () => {
  const recent = Array.from({ length: 20 }, (_, n) => application(`Site-${n}`, { deployed: 30 }));
  const old = Array.from({ length: 30 }, (_, n) => application(`Shop ${n}`, { deployed: 2 }));
  const further = (typed: string) =>
    namesFor(typed, [...recent, ...old.slice(0, 10)], [...recent, ...old]).slice(0, -recent.length);
  expect(further('production')).toEqual([]);
  expect(further('shop')).toHaveLength(3);
  for (const typed of ['shop 24 logs', 'logs 24 shop']) expect(further(typed)[0]).toBe('Shop 24');
});
