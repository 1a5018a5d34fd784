import type { Tx } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import { defineJob, type JobKind } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import type { NoPayload } from '../../jobs/schedule.ts';

export type OfDatabase = { databaseId: string };
/** What can be changed about the servers, as it was before. */
export type ServerColumns = Pick<
  DatabaseRow,
  'tier' | 'storage_gb' | 'ha_enabled' | 'public_ip_enabled' | 'authorized_networks'
>;

/** What nothing is being done to is one of these. */
export type Settled = Pick<DatabaseRow, 'error'> & { status: 'healthy' | 'degraded' };
/** Or its server does not run, and the keeper goes on trying. */
export type Resting = Pick<DatabaseRow, 'error'> & { status: Settled['status'] | 'failed' };

/** A server that does not start is seldom better a moment later; attempts are also used up by workers that die. */
export const PROVISION_ATTEMPTS = 3;
export const CHANGE_ATTEMPTS = 3;

export const provisionJob = defineJob<OfDatabase>('databases.provision', {
  maxAttempts: PROVISION_ATTEMPTS,
  isGrouped: true,
});
export const changeJob = defineJob<OfDatabase & { before: ServerColumns & Resting }>('databases.change', {
  maxAttempts: CHANGE_ATTEMPTS,
  isGrouped: true,
});
export const rotateJob = defineJob<OfDatabase & { before: Settled }>('databases.rotate-password', {
  maxAttempts: 8,
  isGrouped: true,
});
export const deleteJob = defineJob<OfDatabase>('databases.delete', { maxAttempts: 20, isGrouped: true });
/** Applications learn the new password. */
export const renewLinkedJob = defineJob<OfDatabase>('databases.renew-linked', { maxAttempts: 10, isGrouped: true });
export const watchJob = defineJob<NoPayload>('databases.watch', { maxAttempts: 1 });

/** Of what is done to the servers of one database, one thing at a time. */
export const laneOf = (databaseId: string): string => `database:${databaseId}`;
/** What is read from it and written into it. */
export const transferLaneOf = (databaseId: string): string => `database-transfer:${databaseId}`;

type Subject = Pick<DatabaseRow, 'id' | 'organisation_id'>;

/** Returns the job's id. */
export async function enqueueFor<Payload extends OfDatabase>(
  tx: Tx,
  kind: JobKind<Payload>,
  { id, organisation_id }: Subject,
  payload: Omit<Payload, 'databaseId'>,
): Promise<string> {
  const whole = { ...payload, databaseId: id } as Payload;
  return (await enqueue(tx, { kind, payload: whole, key: id, lane: laneOf(id), group: organisation_id })).id;
}

/** Beside the servers' own lane: they are not touched by it. */
export async function enqueueRenewLinked(tx: Tx, { id, organisation_id }: Subject): Promise<void> {
  const lane = `database-links:${id}`;
  await enqueue(tx, { kind: renewLinkedJob, payload: { databaseId: id }, key: id, lane, group: organisation_id });
}
