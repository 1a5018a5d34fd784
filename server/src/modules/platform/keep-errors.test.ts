import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { createErrorKeeper } from './keep-errors.ts';
import { KEPT_ERRORS } from './platform-error.ts';
import { countPlatformErrorsSince, findPlatformErrors, listPlatformErrors } from './platform-error-store.ts';
import { purgeErrors } from './purge-errors.ts';

const failure = (errorId: string, error: unknown = new Error('no luck')) => ({
  errorId,
  origin: 'applications.create',
  requestId: `req_of_${errorId}`,
  jobId: null,
  error,
});

async function keep(store: TestStore, ...failures: ReturnType<typeof failure>[]): Promise<void> {
  const keeper = createErrorKeeper({ db: store.db, log: silentLog, role: 'api' });
  for (const each of failures) keeper.keep(each);
  await keeper.close();
}

describe('errors that nobody expected', () => {
  it('are found by their id and by the request, with their stack and causes', async () => {
    await using store = await createTestStore();
    const error = new Error('could not', { cause: new TypeError('x is not a function') });
    await keep(store, failure('err_1', error));
    for (const id of ['err_1', 'req_of_err_1']) {
      const [found, ...more] = await findPlatformErrors(store.db, id, 10);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ id: 'err_1', role: 'api', origin: 'applications.create', message: 'could not' });
      expect(found!.stack).toContain('keep-errors.test.ts');
      expect(found!.stack).toContain('Caused by: TypeError: x is not a function');
    }
    expect(await findPlatformErrors(store.db, 'err_2', 10)).toEqual([]);
  });

  it('hold no secret, and nothing that cannot be stored', async () => {
    await using store = await createTestStore();
    const message = `postgresql://ada:hunter2@db refused, password="hunter2" \0\ud800 ${'long '.repeat(100_000)}`;
    await keep(store, failure('err_1', new Error(message)), failure('err_2', 'Bearer hunter2hunter2'));
    const found = await listPlatformErrors(store.db, 10);
    expect(found.map(({ id }) => id).toSorted()).toEqual(['err_1', 'err_2']);
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(JSON.stringify(found).length).toBeLessThan(30_000);
  });

  it('never hurt whoever tells of them, though the store is away', async () => {
    const store = await createTestStore();
    const keeper = createErrorKeeper({ db: store.db, log: silentLog, role: 'api' });
    await store[Symbol.asyncDispose]();
    for (let n = 0; n < 1000; n++) keeper.keep(failure(`err_${n}`));
    await expect(keeper.close()).resolves.toBeUndefined();
  });

  it('are the newest ten thousand, and of the last thirty days', async () => {
    await using store = await createTestStore();
    const clock = createFakeClock();
    const now = clock.now().toISOString();
    await sql`
      insert into platform_errors (id, occurred_at, role, origin, message, stack)
      select 'err_' || n, ${now}::timestamptz - n * interval '1 minute', 'api', '', '', ''
      from generate_series(1, ${KEPT_ERRORS + 50}::integer) as n`.execute(store.db);
    const count = () => countPlatformErrorsSince(store.db, new Date(0));
    await purgeErrors(store, clock);
    expect(await count()).toBe(KEPT_ERRORS);
    expect(await findPlatformErrors(store.db, `err_${KEPT_ERRORS}`, 1)).toHaveLength(1);
    expect(await findPlatformErrors(store.db, `err_${KEPT_ERRORS + 1}`, 1)).toHaveLength(0);
    // The newest is from a minute ago.
    clock.advance(30 * 24 * 60 * 60 * 1000 - 10 * 60_000);
    await purgeErrors(store, clock);
    expect(await count()).toBe(10);
  });

  it('are trimmed while they come in, too', async () => {
    await using store = await createTestStore();
    await sql`
      insert into platform_errors (id, occurred_at, role, origin, message, stack)
      select 'err_old_' || n, now() - interval '1 day', 'api', '', '', ''
      from generate_series(1, ${KEPT_ERRORS}::integer) as n`.execute(store.db);
    await keep(store, failure('err_new'));
    expect(await countPlatformErrorsSince(store.db, new Date(0))).toBe(KEPT_ERRORS);
    expect(await findPlatformErrors(store.db, 'err_new', 1)).toHaveLength(1);
  });
});
