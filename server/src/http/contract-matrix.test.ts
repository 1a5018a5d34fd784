import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessCases } from '../testing/access-cases.ts';
import { authorisationCases, foreignIdCases } from '../testing/authorisation-cases.ts';
import { subjectOf } from '../testing/contract-subject.ts';
import { inputCases } from '../testing/input-cases.ts';
import { rowsAbout, tablesOfOrganisations } from '../testing/rows-about.ts';
import { createWorld, type World } from '../testing/world.ts';

let world: World;
let before: Awaited<ReturnType<typeof rowsAbout>>;
beforeAll(async () => {
  world = await createWorld();
  before = await rowsAbout(world.api, world.theirs);
});
afterAll(() => world[Symbol.asyncDispose]());

const otherCases = [...authorisationCases, ...accessCases, ...inputCases];
const allCases = [...foreignIdCases, ...otherCases];
const tried = new Map<EndpointName, number>();
const used = new Set<string>();

/** Every endpoint meets every case that applies to it; what is expected follows from its declaration. */
describe.each([
  { what: 'ids of others', cases: foreignIdCases },
  { what: 'every call', cases: otherCases },
])('$what', ({ cases }) => {
  const applicableTo = (name: EndpointName) => cases.filter(({ applies }) => applies(declarationOf(name)));
  const concerned = endpointNames.filter((name) => applicableTo(name).length > 0);
  describe.each(concerned)('%s', (name) => {
    it.each(applicableTo(name))('$title', async ({ title, check }) => {
      expect.hasAssertions();
      tried.set(name, (tried.get(name) ?? 0) + 1);
      used.add(title);
      await check(subjectOf(world, name));
    });
  });
});

it('saw every endpoint, and every case at some endpoint', () => {
  expect(endpointNames.length).toBeGreaterThanOrEqual(48);
  expect([...tried.keys()].toSorted()).toEqual(endpointNames.toSorted());
  expect([...used].toSorted()).toEqual(allCases.map(({ title }) => title).toSorted());
});

/** Nothing in them can be named by a caller. */
const WITHOUT_SEED = ['artifacts', 'certificate_orders', 'former_domains', 'former_subdomains', 'lost_domains'];

describe('the other organisation', () => {
  it('has something of every kind, so that every kind was tried', async () => {
    const filled = before.filter(({ rows }) => rows.length > 0).map(({ table }) => table);
    const missing = (await tablesOfOrganisations(world.api)).filter((table) => !filled.includes(table));
    // One more? Seed it in testing/settlement.ts, with its id in testing/id-seeds.ts.
    expect(missing).toEqual(WITHOUT_SEED);
  });

  it('is row by row what it was before all these calls of strangers', async () => {
    expect(await rowsAbout(world.api, world.theirs)).toEqual(before);
  });
});
