import { ApiError } from '@lilac/contract/client';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMissingThings } from '../lib/missing-things.ts';
import { lookElsewhere, type Question, thingAt } from './look-elsewhere.ts';

const notFound = new ApiError({
  status: 404,
  code: 'NF001',
  message: 'There is no such deployment.',
  errorId: null,
  retryAfterSeconds: null,
});
const thing = { name: 'deployments.get', idName: 'deploymentId', id: 'dep_1' } as const;

/** A person in three organisations, who looks at a deployment as one of the first. */
function look(answer: (question: Question) => Promise<unknown>) {
  const missing = createMissingThings();
  const asked: unknown[] = [];
  const found: string[] = [];
  const stop = lookElsewhere({
    thing,
    here: 'org_1',
    elsewhere: ['org_2', 'org_3'],
    missing,
    ask: (name, question) => {
      asked.push([name, question.body]);
      return answer(question);
    },
    onFound: (id) => found.push(id),
  });
  const miss = (body: object) => missing.tell('deployments.get', { ...body });
  return { asked, found, stop, miss, missHere: () => miss({ targetOrganisationId: 'org_1', deploymentId: 'dep_1' }) };
}

const isOf = (owner: string) => (question: Question) =>
  question.body['targetOrganisationId'] === owner ? Promise.resolve({}) : Promise.reject(notFound);

describe('something that may be of another organisation', () => {
  it('is asked for by its page alone as long as it is there', async () => {
    const { asked, miss, found } = look(isOf('org_1'));
    miss({ targetOrganisationId: 'org_1', deploymentId: 'dep_2' });
    miss({ targetOrganisationId: 'org_2', deploymentId: 'dep_1' });
    await setImmediate();
    expect([asked, found]).toEqual([[], []]);
  });

  it('is looked for in the others where it is not', async () => {
    const { asked, missHere, found } = look(isOf('org_3'));
    missHere();
    await setImmediate();
    expect(found).toEqual(['org_3']);
    expect(asked).toEqual(
      ['org_2', 'org_3'].map((id) => ['deployments.get', { targetOrganisationId: id, deploymentId: 'dep_1' }]),
    );
  });

  it('is looked for once, however often its page asks for it, and not after somebody has gone on', async () => {
    const { asked, missHere, found } = look(() => Promise.reject(notFound));
    missHere();
    missHere();
    await setImmediate();
    missHere();
    await setImmediate();
    expect([asked.length, found]).toEqual([2, []]);
    const left = look(isOf('org_2'));
    left.missHere();
    left.stop();
    await setImmediate();
    expect(left.found).toEqual([]);
  });

  it('is not read there: its page does that', async () => {
    const { missHere, found } = look(async ({ signal, onHeaders }) => {
      onHeaders();
      expect(signal.aborted).toBe(true);
      throw signal.reason;
    });
    missHere();
    await setImmediate();
    expect(found).toEqual(['org_2']);
  });

  it('stays unfound where that cannot be told', async () => {
    const { asked, missHere, found } = look(() => Promise.reject(new TypeError('Failed to fetch')));
    missHere();
    await setImmediate();
    expect([asked.length, found]).toEqual([1, []]);
  });
});

it.each([
  [{ environmentId: 'env_1' }, { name: 'environments.get', idName: 'environmentId', id: 'env_1' }],
  [{ deploymentId: 'dep_1' }, thing],
  [{}, null],
])('an address is of a thing: %j', (params, at) => {
  expect(thingAt(params)).toEqual(at);
});
