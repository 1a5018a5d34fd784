import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessCases } from '../testing/access-cases.ts';
import { subjectOf } from '../testing/contract-subject.ts';
import { inputCases } from '../testing/input-cases.ts';
import { createWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const allCases = [...accessCases, ...inputCases];
const tried = new Map<EndpointName, number>();
const used = new Set<string>();

/** Every endpoint meets every case that applies to it; what is expected follows from its declaration. */
describe.each(endpointNames)('%s', (name) => {
  const applicable = allCases.filter(({ applies }) => applies(declarationOf(name)));
  it.each(applicable)('$title', async ({ title, check }) => {
    expect.hasAssertions();
    tried.set(name, (tried.get(name) ?? 0) + 1);
    used.add(title);
    await check(subjectOf(world, name));
  });
});

it('saw every endpoint, and every case at some endpoint', () => {
  expect(endpointNames.length).toBeGreaterThanOrEqual(48);
  expect([...tried.keys()].toSorted()).toEqual(endpointNames.toSorted());
  expect([...used].toSorted()).toEqual(allCases.map(({ title }) => title).toSorted());
});
