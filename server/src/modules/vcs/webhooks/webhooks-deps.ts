import type { JobContext } from '../../../jobs/job.ts';
import type { GitSources } from '../../../vcs/git/repository.ts';
import type { RepositoryDoor, VcsDeps } from '../vcs-deps.ts';

export interface ActDeps extends VcsDeps {
  gitSources: Pick<GitSources, 'headOf' | 'openTree'>;
  door: Pick<RepositoryDoor, 'open' | 'locate'>;
}

/** What proves that the job is still this attempt's, and stops it when it no longer is. */
export type Act = Pick<JobContext, 'jobId' | 'claim' | 'signal' | 'log'>;
