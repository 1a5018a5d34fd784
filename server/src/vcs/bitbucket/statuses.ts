import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../lib/fault.ts';
import { isOutOfReach } from '../connection/host-refusal.ts';
import type { CallOptions, CommitState, CommitStatus, HostAccess } from '../vcs-host.ts';
import type { AskBitbucket } from './bitbucket-api.ts';
import { endpointOf } from './repositories.ts';

const LONGEST_KEY = 40;
const LONGEST_TEXT = 255;
const states = {
  pending: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  cancelled: 'STOPPED',
} as const satisfies Record<CommitState, string>;

/** The same key again overwrites what was there. */
export async function writeBuildStatus(
  ask: AskBitbucket,
  access: HostAccess,
  { status, options }: { status: CommitStatus; options?: CallOptions },
): Promise<void> {
  const { repository, sha, state, context, description, url } = status;
  const endpoint = endpointOf(repository);
  if (!endpoint) throw unwritable(status);
  const path = `${endpoint}/commit/${encodeURIComponent(sha)}/statuses/build`;
  const body = {
    key: keyOf(context),
    state: states[state],
    name: context.slice(0, LONGEST_TEXT),
    description: description.slice(0, LONGEST_TEXT),
    url,
  };
  try {
    await ask(access, options).send('POST', path, body, z.object({ key: z.string() }));
  } catch (error) {
    throw isOutOfReach(error) ? unwritable(status, error) : error;
  }
}

/** What tells a status from another of the same commit. */
export function keyOf(context: string): string {
  if (context.length <= LONGEST_KEY) return context;
  return createHash('sha256').update(context).digest('hex').slice(0, LONGEST_KEY);
}

function unwritable({ repository, sha }: CommitStatus, cause?: unknown): Fault {
  const message =
    `Bitbucket does not let this connection write the status of ${sha.slice(0, 8)} in ${repository.owner}/${repository.name}. ` +
    'The person who made the connection must be able to read that repository.';
  return new Fault('VA003', message, { cause });
}
