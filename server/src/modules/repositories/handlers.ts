import type { GitProvider } from '@lilac/contract/states';
import type { Config } from '../../config.ts';
import type { Handlers } from '../../http/handler.ts';
import { invalid } from '../../lib/fault.ts';
import { parseRepository, type RepositoryInput } from '../../vcs/git/parse-repository.ts';
import type { GitSources, OpenTree, Repository } from '../../vcs/git/repository.ts';
import { timeLimit } from '../../vcs/git/time-limit.ts';
import { assertProvider } from '../catalogue/assert-provider.ts';
import type { RepositoryDoor } from '../vcs/vcs-deps.ts';
import { detectFramework } from './detect-framework.ts';
import { limitCalls, type CallLimits } from './limit-calls.ts';
import { listDirectories } from './list-directories.ts';
import { presentBranch, presentPlan } from './present.ts';

export interface RepositoriesDeps {
  config: Pick<Config, 'vcsUrls' | 'featureSwitches'>;
  gitSources: GitSources;
  door: Pick<RepositoryDoor, 'open'>;
  /** How many repositories this process looks at at a time, and of those for one organisation. */
  limits?: CallLimits;
}

type RepositoryEndpoint =
  | 'applications.detect-framework'
  | 'applications.list-repo-directories'
  | 'applications.public-branches';

const LIMITS: CallLimits = { turns: 8, perOwner: 2, waitMs: 5000 };
const TIMEOUT_MS = 30_000;

/**
 * What can be told of a repository before there is an application. Only private ones need more than git's own
 * transport.
 */
export function repositoryHandlers({
  config,
  gitSources,
  door,
  limits = LIMITS,
}: RepositoriesDeps): Pick<Handlers, RepositoryEndpoint> {
  const runLimited = limitCalls(limits);
  const lookInto = <T>({ body, organisation }: Look, look: (tree: OpenTree) => Promise<T>): Promise<T> =>
    runLimited(organisation.id, async () => {
      const repository = repositoryOf(config, { owner: body.owner, repo: body.repo, provider: body.gitProvider });
      const signal = timeLimit(repository, TIMEOUT_MS);
      const opened = await door.open(organisation.id, repository, { signal });
      await using tree = await gitSources.openTree(opened, body.branch, { signal });
      return await look(tree);
    });
  return {
    'applications.detect-framework': async (request) =>
      presentPlan(
        await lookInto(request, (tree) =>
          detectFramework(tree, { rootDirectory: request.body.rootDirectory ?? null, owner: request.organisation.id }),
        ),
      ),
    'applications.list-repo-directories': async (request) => ({
      directories: await lookInto(request, (tree) => listDirectories(tree, request.body.path ?? '')),
    }),
    'applications.public-branches': async ({ body, organisation }) => {
      const repository = publicRepository(config, body);
      const signal = timeLimit(repository, TIMEOUT_MS);
      const branches = await runLimited(organisation.id, () => gitSources.listBranches(repository, { signal }));
      return branches.map(presentBranch);
    },
  };
}

interface Look {
  body: BranchOf;
  organisation: { id: string };
}

interface BranchOf {
  owner: string;
  repo: string;
  branch: string;
  gitProvider?: GitProvider | undefined;
}

function publicRepository(
  config: RepositoriesDeps['config'],
  {
    vcsRepoUrl,
    owner,
    repo,
    gitProvider: provider,
  }: Partial<Omit<BranchOf, 'branch'>> & { vcsRepoUrl?: string | undefined },
): Repository {
  if (vcsRepoUrl !== undefined) return repositoryOf(config, { url: vcsRepoUrl, provider });
  if (owner === undefined || repo === undefined) throw invalid('Send either owner and repo, or vcsRepoUrl.');
  return repositoryOf(config, { owner, repo, provider });
}

function repositoryOf(config: RepositoriesDeps['config'], input: RepositoryInput): Repository {
  const repository = parseRepository(config, input);
  assertProvider(config, repository.provider);
  return repository;
}
