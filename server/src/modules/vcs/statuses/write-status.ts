import type { Tx } from '../../../db/pool.ts';
import { handleJob, type EndedJob, type JobContext, type JobHandler } from '../../../jobs/job.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import { HostUnavailable, type CommitState, type CommitStatus } from '../../../vcs/vcs-host.ts';
import { applicationUrl } from '../../applications/application.ts';
import { createMemory, type Memory } from '../access/memory.ts';
import { tellApplication } from '../tell-application.ts';
import type { RepositoryAccess, RepositoryDoor, VcsDeps } from '../vcs-deps.ts';
import { commitStateOf, descriptions } from './commit-state.ts';
import { enqueueStatus, writeStatusJob, type OfStatus } from './job-kinds.ts';
import { nextTryMs, type Failing } from './next-try.ts';
import { findStatusSubject, noteTold, type StatusSubject } from './status-store.ts';

export type StatusDeps = Pick<VcsDeps, 'store' | 'config' | 'clock'> & { door: Pick<RepositoryDoor, 'act'> };

const TIMEOUT_MS = 60_000;
/** People who leave it so need not hear of it with every deployment. */
const TOLD_AGAIN_MS = 7 * 24 * 60 * 60_000;
const REMEMBERED = 10_000;

/** Tells repository hosts how the deployments of their commits stand. Nothing waits for it. */
export function statusJob(deps: StatusDeps): JobHandler {
  const refused = createMemory<true>({ clock: deps.clock, keepMs: TOLD_AGAIN_MS, count: REMEMBERED });
  return handleJob(writeStatusJob, (subject, context) => writeStatus({ ...deps, refused }, subject, context), {
    limits: { perWorker: 2, perGroup: 1 },
    timeoutMs: TIMEOUT_MS,
    onEnd: (tx, subject, end) => tryAgain(tx, subject, end),
  });
}

/** With the applications whose people were told that their host does not take it. */
type WritingDeps = StatusDeps & { refused: Memory<true> };

interface Again {
  failing: Failing;
  delayMs: number;
}

type Written = { told: CommitState } | { again: Again } | { nothing: string };

async function writeStatus(
  deps: WritingDeps,
  { deploymentId, left, failing }: OfStatus,
  { signal, log }: Pick<JobContext, 'signal' | 'log'>,
): Promise<Written> {
  const { db } = deps.store;
  const subject = await findStatusSubject(db, { deploymentId, left });
  const news = subject && newsOf(subject, left);
  if (!news) return { nothing: 'There is nothing new to tell.' };
  try {
    const repository = parseRepository(deps.config, { url: subject.vcs_repo_url, provider: subject.git_provider });
    const write = async ({ host, access, found: { owner, name } }: RepositoryAccess): Promise<Written> => {
      await host.writeStatus(access, { ...statusOf(deps, subject, news), repository: { owner, name } }, { signal });
      return { told: news.state };
    };
    const written = await deps.door.act(subject.organisation_id, repository, write, { signal });
    if (!written) return { nothing: 'Nothing that is linked reaches the repository.' };
    await noteTold(db, { deploymentId, ...news });
    deps.refused.forget(subject.application_id);
    return written;
  } catch (error) {
    if (error instanceof HostUnavailable) return putOff(deps, failing, error);
    // It does not let us: asking again changes nothing, and the deployment is none the worse.
    if (error instanceof Fault) {
      log.info({ deployment: deploymentId, reason: error.message }, 'a commit status was not written');
      await tellOnce(deps, { applicationId: subject.application_id, reason: error.message });
      return { nothing: error.message };
    }
    throw error;
  }
}

/** Nobody would learn of it otherwise: at the host there is just nothing. */
async function tellOnce(
  { store: { db }, refused }: WritingDeps,
  { applicationId, reason }: { applicationId: string; reason: string },
): Promise<void> {
  if (refused.get(applicationId)) return;
  const message = `How a deployment stands could not be written to its commit, by nothing that is linked. ${reason}`;
  await db.transaction().execute((tx) => tellApplication(tx, { applicationId, message }));
  refused.set(applicationId, true);
}

interface News {
  sha: string;
  state: CommitState;
}

/** Null when the host knows it. */
function newsOf(subject: StatusSubject, left: string | undefined): News | null {
  if (left !== undefined) return { sha: left, state: 'cancelled' };
  const state = commitStateOf(subject);
  return state === null || state === subject.told_state ? null : { sha: subject.commit_sha, state };
}

function statusOf(
  { config }: StatusDeps,
  { slug, name, subdomain }: StatusSubject,
  { sha, state }: News,
): Omit<CommitStatus, 'repository'> {
  return {
    sha,
    state,
    // A repository may hold several applications, which must not overwrite one another.
    context: `lilac/${slug}/${name}`,
    description: descriptions[state],
    // Before it is live, its own page there says how it stands.
    url: applicationUrl(config, subdomain),
  };
}

/** A host that is down for hours is no failure of the job, which would be for the operator to look at. */
function putOff({ clock }: StatusDeps, failing: Failing | undefined, error: HostUnavailable): Written {
  const now = clock.now().getTime();
  const so = { since: failing?.since ?? now, tries: (failing?.tries ?? 0) + 1 };
  const delayMs = nextTryMs(so, { now, retryAfterSeconds: error.retryAfterSeconds });
  return delayMs === null ? { nothing: `Given up: ${error.message}` } : { again: { failing: so, delayMs } };
}

/** Written together with the end of the job: a worker that is killed loses nothing. */
async function tryAgain(tx: Tx, { deploymentId, left }: OfStatus, end: EndedJob): Promise<void> {
  const result = end.state === 'done' ? (end.result as Written) : null;
  if (!result || !('again' in result)) return;
  const { failing, delayMs } = result.again;
  await enqueueStatus(tx, { deploymentId, failing, ...(left !== undefined && { left }) }, { delayMs });
}
