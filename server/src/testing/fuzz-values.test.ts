import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { toInputSchema } from '@lilac/contract/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileValidator } from '../http/validate.ts';
import { asJson, nearlyRightValue, rightValue } from './fuzz-values.ts';

const numRuns = 15;
const withBody = endpointNames.filter((name) => declarationOf(name).body);
const schemaOf = (name: (typeof endpointNames)[number]) => toInputSchema(declarationOf(name).body!);

it.each(withBody)('makes bodies for %s that the contract takes', (name) => {
  const validate = compileValidator(schemaOf(name), 'body');
  const refused = fc
    .sample(rightValue(schemaOf(name)), { seed: 1, numRuns })
    .map((body) => ({ body, problem: validate(JSON.parse(asJson(body))) }))
    .filter(({ problem }) => problem !== null);
  expect(refused).toEqual([]);
});

describe('nearly right bodies', () => {
  it('have objects, lists of objects and records of anything in them', () => {
    const rows = fc.sample(nearlyRightValue(schemaOf('databases.explorer.rows')), { seed: 1, numRuns: 200 });
    const filters = rows.flatMap((body) => (body as { filters?: unknown }).filters ?? []);
    expect(
      filters.filter((each) => typeof (each as { column?: unknown } | null)?.column === 'string').length,
    ).toBeGreaterThan(100);
    const changes = fc.sample(nearlyRightValue(schemaOf('databases.explorer.row')), { seed: 1, numRuns: 200 });
    const cells = changes.flatMap((body) => Object.values((body as { values?: object }).values ?? {}));
    expect(new Set(cells.map((cell) => (cell === null ? 'null' : typeof cell)))).toEqual(
      new Set(['string', 'number', 'boolean', 'null', 'object']),
    );
  });

  it('are mostly taken, but not all', () => {
    const taken = withBody.flatMap((name) => {
      const validate = compileValidator(schemaOf(name), 'body');
      const bodies = fc.sample(nearlyRightValue(schemaOf(name)), { seed: 1, numRuns });
      return bodies.map((body) => validate(JSON.parse(asJson(body))) === null);
    });
    const share = taken.filter(Boolean).length / taken.length;
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.95);
  });
});

const known = (field: string) => (field === 'environmentIds' ? fc.constant('env_1') : undefined);

it('sends what is known most of the time, also within lists', () => {
  const bodies = fc.sample(rightValue(schemaOf('metrics.sparkline'), known), { seed: 1, numRuns: 100 });
  const ids = bodies.flatMap((body) => (body as { environmentIds: string[] }).environmentIds);
  expect(ids.filter((id) => id === 'env_1').length).toBeGreaterThan(ids.length / 2);
});
