import { Fault } from '../../lib/fault.ts';
import { HostRefusal, isOutOfReach } from '../connection/host-refusal.ts';
import { pathOf } from '../connection/repository-path.ts';
import type { CallOptions, CommitState, CommitStatus, HostAccess } from '../vcs-host.ts';
import type { AskGitlab } from './gitlab-api.ts';

const LONGEST = 255;
const states = {
  pending: 'pending',
  success: 'success',
  failure: 'failed',
  cancelled: 'canceled',
} as const satisfies Record<CommitState, string>;

export async function writeCommitStatus(
  ask: AskGitlab,
  access: HostAccess,
  { status, options }: { status: CommitStatus; options?: CallOptions },
): Promise<void> {
  const { repository, sha, state, context, description, url } = status;
  const path = pathOf(repository);
  if (!path) throw unwritable(status);
  try {
    await ask(access, options).commits.editStatus(path.join('/'), sha, states[state], {
      context: context.slice(0, LONGEST),
      description: description.slice(0, LONGEST),
      targetUrl: url,
    });
  } catch (error) {
    if (isAlreadySo(error)) return;
    throw isOutOfReach(error) ? unwritable(status, error) : error;
  }
}

/** A status that is pending cannot become pending; every other state may be written again. */
function isAlreadySo(error: unknown): boolean {
  return error instanceof HostRefusal && error.status === 400 && /cannot transition status/i.test(error.message);
}

function unwritable({ repository, sha }: CommitStatus, cause?: unknown): Fault {
  const message =
    `GitLab does not let this connection write the status of ${sha.slice(0, 8)} in ${repository.owner}/${repository.name}. ` +
    'The person who made the connection must be at least a developer of that project.';
  return new Fault('VA003', message, { cause });
}
