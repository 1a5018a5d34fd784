import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../db/pool.ts';
import { MAX_FAILURES } from '../modules/accounts/attempt.ts';
import { createOwner } from '../testing/factories.ts';
import { startApi, type TestApi } from '../testing/harness.ts';
import { signInByPassword } from '../testing/sign-in.ts';
import { buildApi } from './api.ts';

const LIMIT = 400;
/** Too few for one of them, too many for both. */
const MORE_THAN_HALF = LIMIT / 2 + 20;

/** Two control planes, put together as their roles put them together, on a store that is no machine's own. */
let one: TestApi;
let two: FastifyInstance;
let storeOfTwo: Store;

beforeAll(async () => {
  one = await startApi({ config: { databaseUrl: 'postgresql://shared.example.org/lilac', rateLimit: LIMIT } });
  storeOfTwo = openStore({ kind: 'url', url: one.store.url }, { max: 5, applicationName: 'another api' });
  two = await buildApi({ ...one, store: storeOfTwo });
});
afterAll(async () => {
  await two.close();
  await storeOfTwo.close();
  await one[Symbol.asyncDispose]();
});

/** How often somebody asks an api, and whether it lets him. */
function visitorOf(app: FastifyInstance, remoteAddress: string) {
  const visitor = {
    asked: 0,
    async isRefused() {
      visitor.asked++;
      return (await app.inject({ url: '/api/health', remoteAddress })).statusCode === 429;
    },
  };
  return visitor;
}

describe('two control planes on one store', () => {
  it('keep one rate limit: who is within it at each is soon refused at both, and nobody else', async () => {
    const address = '192.0.2.1';
    const visitors = [one.app, two].map((app) => visitorOf(app, address));
    for (const visitor of visitors) {
      while (visitor.asked < MORE_THAN_HALF) expect(await visitor.isRefused()).toBe(false);
    }
    for (const visitor of visitors) {
      while (!(await visitor.isRefused())) await delay(100);
      // Alone it would have let him make so many.
      expect(visitor.asked).toBeLessThanOrEqual(LIMIT);
    }
    for (const app of [one.app, two]) expect(await visitorOf(app, '192.0.2.2').isRefused()).toBe(false);
  });

  it('count the guesses at a password together: what was tried at one is not tried again at the other', async () => {
    const { email, password } = await createOwner(one);
    const apis = [one, { ...one, app: two }];
    const guess = (api: TestApi, tried: string) =>
      signInByPassword(api, { email, password: tried, address: '192.0.2.3' }).then(({ body }) => body.code);
    for (let n = 0; n < MAX_FAILURES; n++) expect(await guess(apis[n % 2]!, `wrong guess ${n}`)).toBe('CA002');
    for (const api of apis) expect(await guess(api, password)).toBe('CA009');
  });
});
