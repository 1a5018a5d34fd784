import { expect, it } from 'vitest';
import { isFailingDue, isTurnOf, nextTurn, READ_AGAIN_MS } from './delivery-turns.ts';
import type { DeliveryPayload } from './job-kinds.ts';

const delivery = { provider: 'provider1', deliveryId: 'd1' } as const;
const now = 1_000_000;
const failing = { since: now - 5, tries: 4, applicationIds: ['failed'] };

const whoseTurn = (payload: DeliveryPayload, at: number) =>
  ['failed', 'waits', 'done'].filter((applicationId) =>
    isTurnOf(payload, { applicationId, isDue: isFailingDue(payload, at) }),
  );

it('waiting for a build takes on no delay of what has failed, which is left in peace until its own is over', () => {
  const dueAt = now + 30 * 60_000;
  const { payload, delayMs } = nextTurn(delivery, { failed: { failing, dueAt }, waiting: ['waits'], now })!;
  expect(delayMs).toBe(READ_AGAIN_MS);
  expect(payload.failing).toMatchObject(failing);
  expect(whoseTurn(payload, now + delayMs)).toEqual(['waits']);
  expect(whoseTurn(payload, dueAt)).toEqual(['failed', 'waits']);
  const later = { failed: { failing: payload.failing!, dueAt }, waiting: [], now: now + delayMs };
  expect(nextTurn(payload, later)).toEqual({ payload: { ...delivery, failing }, delayMs: dueAt - now - delayMs });
});

it('what failed and passes sooner than builds are looked at is tried again as soon', () => {
  const failed = { failing, dueAt: now + 2000 };
  expect(nextTurn(delivery, { failed, waiting: ['waits'], now })?.delayMs).toBe(2000);
});

it('waiting for a build alone counts no try, and nothing is left when all was seen to', () => {
  expect(nextTurn({ ...delivery, failing }, { failed: null, waiting: ['waits'], now })).toEqual({
    payload: { ...delivery, waiting: ['waits'] },
    delayMs: READ_AGAIN_MS,
  });
  expect(whoseTurn({ ...delivery, waiting: ['waits'] }, now)).toEqual(['waits']);
  expect(whoseTurn(delivery, now)).toEqual(['failed', 'waits', 'done']);
  expect(nextTurn(delivery, { failed: null, waiting: [], now })).toBeNull();
});
