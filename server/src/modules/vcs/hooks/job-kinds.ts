import type { GitProvider } from '@lilac/contract/states';
import type { Tx } from '../../../db/pool.ts';
import { defineJob, type JobKind } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue-store.ts';
import type { NoPayload } from '../../../jobs/schedule.ts';
import type { Failing } from '../statuses/next-try.ts';
import { findHookedApplication, type HookedRepository } from './hook-store.ts';

export interface OfApplication {
  applicationId: string;
  failing?: Failing;
}

export interface OfRepository extends HookedRepository {
  failing?: Failing;
}

/** Hosts are not to keep one another waiting. */
export const hooksJob = defineJob<OfApplication>('vcs.hooks', { isGrouped: true });
export const unhookJob = defineJob<OfRepository>('vcs.unhook', { isGrouped: true });
export const watchJob = defineJob<NoPayload>('vcs.watch', { maxAttempts: 1 });

/**
 * Has the repository's host tell of pushes when the transaction has ended, or no longer, by what the application wants
 * then. On the first host, whose app hears of everything that it was granted, it is looked at whether this one was.
 */
export async function enqueueHooks(tx: Tx, of: OfApplication, { delayMs = 0 } = {}): Promise<void> {
  const application = await findHookedApplication(tx, of.applicationId);
  if (application) await add(tx, hooksJob, { payload: of, subject: of.applicationId, ...application, delayMs });
}

/** The same where there is a doubt whether pushes still come, as far as anybody waits for them. */
export async function doubtHooks(tx: Tx, applicationId: string): Promise<void> {
  const application = await findHookedApplication(tx, applicationId);
  if (application?.wantsPushes) await enqueueHooks(tx, { applicationId });
}

/** Has the host tell nothing more, unless another application still wants it. */
export async function enqueueUnhook(tx: Tx, of: OfRepository, { delayMs = 0 } = {}): Promise<void> {
  await add(tx, unhookJob, { payload: of, subject: of.repositoryId, provider: of.provider, delayMs });
}

interface HookJob<Payload> {
  payload: Payload;
  subject: string;
  provider: GitProvider;
  delayMs: number;
}

/** One at a time of a host: what one of them makes, another must not remove at the same moment. */
async function add<Payload extends object>(
  tx: Tx,
  kind: JobKind<Payload>,
  { payload, subject, provider, delayMs }: HookJob<Payload>,
): Promise<void> {
  const lane = `vcs hooks ${provider}`;
  await enqueue(tx, { kind, payload, key: `${provider} ${subject}`, lane, group: provider, delayMs });
}
