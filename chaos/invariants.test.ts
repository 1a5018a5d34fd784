import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBackSoon } from './invariants/back-soon.ts';
import { areFailuresExplained } from './invariants/deployments-explained.ts';
import type { Expected } from './invariants/expected.ts';
import { leftByUsers } from './invariants/left-by-users.ts';
import type { Check } from './invariants/problem.ts';
import { Outages } from './outages.ts';
import type { Scene } from './scene.ts';

const failed = { id: 'dep_1', part: 'server', error: 'it ended', startedAt: 0, endedAt: Infinity };
const elsewhere = {
  id: 'dep_2',
  environmentId: 'env_passing',
  error: 'no reason',
  createdAt: new Date(),
  completedAt: new Date(),
};

function checkWith({ outages = new Outages(), watched = [] as object[], stored = [] as object[] }): Check {
  const [site, server, sleeper] = ['site', 'server', 'sleeper'].map((part) => ({ part, environmentId: `env_${part}` }));
  const watch = { look: async () => {}, failed: () => watched };
  return {
    scene: { outages, watch, site, server, sleeper },
    peek: { failedDeployments: async () => stored },
  } as unknown as Check;
}

describe('a deployment that failed', () => {
  it('breaks a promise where no fault explains it, whoever it was of', async () => {
    const problems = await areFailuresExplained(checkWith({ watched: [failed], stored: [elsewhere] }));
    expect(problems.map(({ about }) => about)).toEqual(['dep_1', 'dep_2']);
  });

  it('breaks none where one does', async () => {
    const outages = new Outages();
    outages.open({ what: 'kill-instance', harms: 'instances', disturbs: {}, fails: ['server'] });
    expect(await areFailuresExplained(checkWith({ outages, watched: [failed] }))).toEqual([]);
  });

  it('is looked at once, where it was seen and is still in the store', async () => {
    const stored = [{ ...elsewhere, id: 'dep_1', environmentId: 'env_server' }];
    expect(await areFailuresExplained(checkWith({ watched: [failed], stored }))).toHaveLength(1);
  });
});

function problemsAfter(...times: number[]) {
  const recoveries = () => times.map((tookMs) => ({ what: 'kill-api', tookMs, wholeMs: tookMs }));
  return isBackSoon(checkWith({ outages: { recoveries } as unknown as Outages }));
}

it('who takes minutes to come back breaks a promise, though it does come back', async () => {
  expect(await problemsAfter(2000, 60_000)).toEqual([]);
  expect(await problemsAfter(2000, 170_000)).toMatchObject([
    { about: 'kill-api', what: 'it took 170.0 s to come back after the last harm that reached it, 90.0 s are allowed' },
  ]);
});

const expectedWith = (...users: number[]) => ({ users: new Set(users) }) as unknown as Expected;

describe.runIf(process.getuid?.() === 0)('what users have left where everybody may write', () => {
  const USER = 60_599;
  const scene = (tracesBefore: string[] = []) =>
    ({
      deployer: { targetOrganisationId: 'org_1' },
      watch: { databaseUsers: () => new Set([USER]) },
      tracesBefore: new Set(tracesBefore),
    }) as unknown as Scene;

  it('is found, unless it was there before or its database still is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lilac-left-'));
    try {
      chownSync(folder, USER, USER);
      const left = `${folder} of user ${USER}`;
      expect(leftByUsers(expectedWith(), scene())).toContain(left);
      expect(leftByUsers(expectedWith(), scene([folder]))).not.toContain(left);
      expect(leftByUsers(expectedWith(USER), scene())).not.toContain(left);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
