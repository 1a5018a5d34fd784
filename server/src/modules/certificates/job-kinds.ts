import type { Tx } from '../../db/pool.ts';
import { defineJob } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import type { NoPayload } from '../../jobs/schedule.ts';
import { findHolder } from './certificate-store.ts';

export interface OfCertificate {
  certificateId: string;
}

/** Gets a certificate, or another in its place. It fails only by mistake: what an authority says is in the row. */
export const orderJob = defineJob<OfCertificate>('certificates.order', { maxAttempts: 100, isGrouped: true });
/** Asks the authority whether a certificate is still good. */
export const ocspJob = defineJob<OfCertificate>('certificates.ocsp', { isGrouped: true });
/** Finds what is due: orders, renewals, warnings. */
export const watchJob = defineJob<NoPayload>('certificates.watch', { maxAttempts: 1 });

/** One at a time of a certificate. One that waits for later comes forward. */
export async function enqueueOrder(tx: Tx, certificateId: string, { delayMs = 0 } = {}): Promise<void> {
  const group = await groupOf(tx, certificateId);
  const lane = `certificate ${certificateId}`;
  await enqueue(tx, { kind: orderJob, payload: { certificateId }, key: certificateId, lane, group, delayMs });
}

export async function enqueueOcsp(tx: Tx, certificateId: string): Promise<void> {
  const group = await groupOf(tx, certificateId);
  await enqueue(tx, { kind: ocspJob, payload: { certificateId }, key: certificateId, group });
}

/** Organisations take turns. */
async function groupOf(tx: Tx, certificateId: string): Promise<string> {
  return (await findHolder(tx, certificateId))?.organisationId ?? 'platform';
}
