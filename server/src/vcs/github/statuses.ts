import { z } from 'zod';
import { Fault } from '../../lib/fault.ts';
import { HostRefusal } from '../connection/host-refusal.ts';
import type { CallOptions, CommitState, CommitStatus, HostAccess } from '../vcs-host.ts';
import type { AskGithub } from './github-api.ts';
import type { GithubAccess } from './github-access.ts';

/** The host has no word for what was stopped; `error` is what did not come to an end. */
const states: Record<CommitState, string> = {
  pending: 'pending',
  success: 'success',
  failure: 'failure',
  cancelled: 'error',
};
const LONGEST_DESCRIPTION = 140;

const written = z.object({
  context: z.string(),
  state: z.string(),
  description: z.string().nullable(),
  target_url: z.string().nullable(),
});

export async function writeStatus(
  github: GithubAccess,
  access: HostAccess,
  { status, options: { signal } = {} }: { status: CommitStatus; options: CallOptions | undefined },
): Promise<void> {
  const { repository, sha } = status;
  const wish = { repository, permissions: { statuses: 'write' }, signal } as const;
  const done = await github.reach(access, wish, async (ask) => {
    await writeOnce(ask, status, signal);
    return true;
  });
  if (!done) {
    const fullName = `${repository.owner}/${repository.name}`;
    throw new Fault(
      'VA003',
      `GitHub does not let this platform write the status of ${sha.slice(0, 8)} in ${fullName}.`,
    );
  }
}

/** The host keeps every status that was ever written, a thousand for a commit: the same again would only fill it. */
async function writeOnce(ask: AskGithub, status: CommitStatus, signal: AbortSignal | undefined): Promise<void> {
  const { owner, name: repo } = status.repository;
  const wanted = {
    context: status.context,
    state: states[status.state],
    description: status.description.slice(0, LONGEST_DESCRIPTION),
    target_url: status.url,
  };
  try {
    const { data: all } = await ask({
      route: 'GET /repos/{owner}/{repo}/commits/{ref}/statuses',
      parameters: { owner, repo, ref: status.sha, per_page: 100 },
      shape: z.array(written),
      signal,
    });
    // The newest is first, and the one that counts.
    const last = all.find(({ context }) => context === wanted.context);
    if (last && isSame(last, wanted)) return;
    const parameters = { owner, repo, sha: status.sha, ...wanted };
    await ask({ route: 'POST /repos/{owner}/{repo}/statuses/{sha}', parameters, shape: z.unknown(), signal });
  } catch (error) {
    if (!(error instanceof HostRefusal && error.status === 422)) throw error;
    throw new Fault('VA003', `GitHub knows no commit ${status.sha.slice(0, 8)} in ${owner}/${repo}.`, { cause: error });
  }
}

function isSame(one: z.infer<typeof written>, other: z.infer<typeof written>): boolean {
  return one.state === other.state && one.description === other.description && one.target_url === other.target_url;
}
