import type { Tx } from '../../db/pool.ts';
import { defineJob } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import type { NoPayload } from '../../jobs/schedule.ts';

export interface OfCertificate {
  certificateId: string;
}

/** Gets a certificate, or another in its place. It fails only by mistake: what an authority says is in the row. */
export const orderJob = defineJob<OfCertificate>('certificates.order', { maxAttempts: 100 });
/** Asks the authority whether a certificate is still good. */
export const ocspJob = defineJob<OfCertificate>('certificates.ocsp', { maxAttempts: 100 });
/** Finds what is due: orders, renewals, warnings. */
export const watchJob = defineJob<NoPayload>('certificates.watch');

/** One at a time of a certificate. One that waits for later comes forward. */
export async function enqueueOrder(tx: Tx, certificateId: string, { delayMs = 0 } = {}): Promise<void> {
  const lane = `certificate ${certificateId}`;
  await enqueue(tx, { kind: orderJob, payload: { certificateId }, key: certificateId, lane, delayMs });
}
