import { describe, expect, it } from 'vitest';
import { isSettled } from './invariants/settled.ts';
import type { Check } from './invariants/problem.ts';

interface Answers {
  moving?: string[];
  /** By the environment. */
  environments?: Record<string, { status: string; trouble?: string }>;
  database?: { status: string; error?: string };
}

function problemsOf({ moving = [], environments = {}, database = { status: 'healthy' } }: Answers) {
  const [site, server, sleeper] = ['site', 'server', 'sleeper'].map((part) => ({ part, environmentId: `env_${part}` }));
  const call = async (_: string, { body }: { body: { environmentId: string } }) =>
    environments[body.environmentId] ?? { status: 'healthy', trouble: null };
  const scene = {
    deployer: { client: { call }, targetOrganisationId: 'org_1' },
    databases: { get: async () => database },
    kept: [{ id: 'db_1', type: 'mysql' }],
    site,
    server,
    sleeper,
  };
  return isSettled({ scene, peek: { moving: async () => moving } } as unknown as Check);
}

const ofProduction = (part: string, environment: { status: string; trouble?: string }) =>
  problemsOf({ environments: { [`env_${part}`]: environment } });

describe('who has settled', () => {
  it('is well, or was left degraded by a deployment that failed', async () => {
    expect(await problemsOf({})).toEqual([]);
    expect(await ofProduction('server', { status: 'degraded' })).toEqual([]);
  });

  it('has nothing that moves by what the store says', async () => {
    expect(await problemsOf({ moving: ['deployment dep_1 is deploying', 'job 7 of build is queued'] })).toMatchObject([
      { about: 'dep_1', what: 'deployment dep_1 is deploying' },
      { about: '7', what: 'job 7 of build is queued' },
    ]);
  });

  it.each(['site', 'server', 'sleeper'])(
    'has no environment that moves or is in trouble, that of the %s',
    async (part) => {
      expect(await ofProduction(part, { status: 'deploying' })).toMatchObject([{ about: part }]);
      expect(await ofProduction(part, { status: 'healthy', trouble: 'it ended' })).toMatchObject([
        { about: part, what: 'it is healthy: it ended' },
      ]);
    },
  );

  it('has no database that is not healthy', async () => {
    expect(await problemsOf({ database: { status: 'degraded', error: 'it is full' } })).toMatchObject([
      { about: 'db_1', what: 'the mysql database is degraded: it is full' },
    ]);
  });
});
