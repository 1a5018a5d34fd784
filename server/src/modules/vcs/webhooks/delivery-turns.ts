import type { DeliveryPayload } from './job-kinds.ts';

export interface NextTurn {
  payload: DeliveryPayload;
  delayMs: number;
}

export type FailingDelivery = NonNullable<DeliveryPayload['failing']>;

export interface FailedSoFar {
  failing: FailingDelivery;
  /** When it is tried again, in milliseconds since 1970. */
  dueAt: number;
}

/** A build that takes long to read a branch is looked at again after so long. */
export const READ_AGAIN_MS = 3000;

/** Whether what has failed before is tried again now. */
export const isFailingDue = ({ failing }: DeliveryPayload, now: number): boolean => now >= (failing?.notBefore ?? 0);

export function isTurnOf(
  { failing, waiting }: DeliveryPayload,
  { applicationId, isDue }: { applicationId: string; isDue: boolean },
): boolean {
  if (!failing && !waiting) return true;
  if (waiting?.includes(applicationId)) return true;
  return isDue && failing?.applicationIds.includes(applicationId) === true;
}

/**
 * Null when nothing is left. To wait for a build is no failure: it takes on no delay of what has failed for others, and
 * is not given up, however long it takes.
 */
export function nextTurn(
  { provider, deliveryId }: DeliveryPayload,
  { failed, waiting, now }: { failed: FailedSoFar | null; waiting: string[]; now: number },
): NextTurn | null {
  const of = { provider, deliveryId };
  if (!failed) return waiting.length === 0 ? null : { payload: { ...of, waiting }, delayMs: READ_AGAIN_MS };
  const { notBefore: _, ...failing } = failed.failing;
  const delayMs = Math.max(0, failed.dueAt - now);
  if (waiting.length === 0) return { payload: { ...of, failing }, delayMs };
  return {
    payload: { ...of, waiting, failing: { ...failing, notBefore: failed.dueAt } },
    delayMs: Math.min(READ_AGAIN_MS, delayMs),
  };
}
