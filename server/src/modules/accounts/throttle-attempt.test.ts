import { describe, expect, it } from 'vitest';
import { openStore } from '../../db/pool.ts';
import { Fault } from '../../lib/fault.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { FAILURE_WINDOW_MS } from './attempt.ts';
import { throttleAttempt } from './throttle-attempt.ts';

const attempt = { purpose: 'login', address: '192.0.2.1', account: 'ann@example.org' } as const;
const wrong = () => Promise.reject(new Fault('CA002'));
const right = () => Promise.resolve('in');

async function codeOf(result: Promise<unknown>): Promise<string> {
  return await result.then(
    () => 'ok',
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );
}

describe('throttleAttempt', () => {
  it('lets ten failures happen, then none, until the window ends', async () => {
    await using store = await createTestStore();
    const clock = createFakeClock();
    const deps = { store, clock };
    for (let i = 0; i < 10; i++) expect(await codeOf(throttleAttempt(deps, attempt, wrong))).toBe('CA002');
    clock.advance(60_000);
    await expect(throttleAttempt(deps, attempt, right)).rejects.toMatchObject({
      code: 'CA009',
      options: { retryAfterSeconds: 14 * 60 },
    });
    clock.advance(FAILURE_WINDOW_MS - 60_000);
    expect(await throttleAttempt(deps, attempt, right)).toBe('in');
  });

  it('many guesses at once get no further than one after another', async () => {
    await using store = await createTestStore();
    const deps = { store, clock: createFakeClock() };
    let guesses = 0;
    const codes = await Promise.all(
      Array.from({ length: 60 }, () =>
        codeOf(
          throttleAttempt(deps, attempt, () => {
            guesses++;
            return wrong();
          }),
        ),
      ),
    );
    expect(guesses).toBe(10);
    expect(codes.filter((code) => code === 'CA009')).toHaveLength(50);
  });

  it('counts an account from everywhere, and an address for everybody', async () => {
    await using store = await createTestStore();
    const deps = { store, clock: createFakeClock() };
    for (let i = 0; i < 10; i++) await codeOf(throttleAttempt(deps, { ...attempt, address: `192.0.2.${i}` }, wrong));
    expect(await codeOf(throttleAttempt(deps, { ...attempt, address: '198.51.100.1' }, right))).toBe('CA009');
    for (let i = 0; i < 10; i++) {
      await codeOf(throttleAttempt(deps, { purpose: 'login', address: '203.0.113.1', account: `p${i}` }, wrong));
    }
    expect(
      await codeOf(throttleAttempt(deps, { purpose: 'login', address: '203.0.113.1', account: 'new' }, right)),
    ).toBe('CA009');
    expect(await codeOf(throttleAttempt(deps, { ...attempt, purpose: 'mfa' }, right))).toBe('ok');
  });

  it("a success forgets the account's failures and keeps the address's", async () => {
    await using store = await createTestStore();
    const deps = { store, clock: createFakeClock() };
    for (let i = 0; i < 9; i++) await codeOf(throttleAttempt(deps, attempt, wrong));
    expect(await throttleAttempt(deps, attempt, right)).toBe('in');
    const elsewhere = { ...attempt, address: '198.51.100.1' };
    for (let i = 0; i < 10; i++) expect(await codeOf(throttleAttempt(deps, elsewhere, wrong))).toBe('CA002');
    const another = { ...attempt, account: 'bob@example.org' };
    expect(await codeOf(throttleAttempt(deps, another, wrong))).toBe('CA002');
    expect(await codeOf(throttleAttempt(deps, another, wrong))).toBe('CA009');
  });

  it('a refusal at one counter is no failure at the other', async () => {
    await using store = await createTestStore();
    const deps = { store, clock: createFakeClock() };
    for (let i = 0; i < 10; i++) await codeOf(throttleAttempt(deps, { ...attempt, address: `192.0.2.${i}` }, wrong));
    const office = '198.51.100.1';
    for (let i = 0; i < 20; i++) await codeOf(throttleAttempt(deps, { ...attempt, address: office }, right));
    const colleague = { purpose: 'login', address: office, account: 'bob@example.org' } as const;
    expect(await codeOf(throttleAttempt(deps, colleague, right))).toBe('ok');
  });

  it('holds no failure of our own against the caller', async () => {
    await using store = await createTestStore();
    const deps = { store, clock: createFakeClock() };
    for (let i = 0; i < 12; i++) {
      await codeOf(throttleAttempt(deps, attempt, () => Promise.reject(new Error('the disk is full'))));
      await codeOf(throttleAttempt(deps, attempt, () => Promise.reject(new Fault('SV002'))));
    }
    expect(await codeOf(throttleAttempt(deps, attempt, right))).toBe('ok');
  });

  it('survives a restart', async () => {
    await using store = await createTestStore();
    const clock = createFakeClock();
    for (let i = 0; i < 10; i++) await codeOf(throttleAttempt({ store, clock }, attempt, wrong));
    const reopened = openStore({ kind: 'url', url: store.url }, { max: 1, applicationName: 'restarted' });
    expect(await codeOf(throttleAttempt({ store: reopened, clock }, attempt, right))).toBe('CA009');
    await reopened.close();
  });
});
