import type { Config } from '../../../config.ts';
import type { Store } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { HostRepository } from '../../../vcs/vcs-host.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import type { LocatedRepository, OpenOptions, RepositoryDoor } from '../vcs-deps.ts';
import { isOfHost } from './ask-each.ts';
import { knowRepository } from './known-id-store.ts';
import { moveToRepository } from './rename-store.ts';
import { isSameId, repositoryIdOf } from './repository-id.ts';

export interface FollowDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'vcsUrls'>;
  door: Pick<RepositoryDoor, 'find' | 'identify' | 'locate'>;
}

type OfPath = Pick<ApplicationRow, 'repository_path'>;

/**
 * The application as its repository is called now. Its repository is the one of the known id: who has its name by now
 * is compared with that, and a host that does not answer is a `HostUnavailable`, since nobody could tell then.
 */
export async function followRepository(
  deps: FollowDeps,
  application: ApplicationRow,
  options: OpenOptions = {},
): Promise<ApplicationRow> {
  const { organisation_id: organisationId, vcs_repo_url: url, git_provider: provider } = application;
  if (url === null) return application;
  const id = repositoryIdOf(application) ?? (await becomeKnown(deps, { ...application, vcs_repo_url: url }, options));
  if (id === null) return application;
  const there = await deps.door.find(organisationId, parseRepository(deps.config, { url, provider }), options);
  const isOurs = there !== null && isSameId(there.id, id);
  if (isOurs && isAtSameAccount(application, there)) return moveTo(deps, application, there);
  const ours = await deps.door.locate(organisationId, { provider, id }, options);
  if (ours) return followLocated(deps, application, ours);
  if (isOurs) throw movedAway(application, there);
  if (there) throw nameTaken(application);
  return application;
}

/**
 * What nobody has asked the host for yet: the repository that has the name at this moment is the application's from now
 * on. Null where nothing that is linked reaches it, or where everybody may read it and the host does not answer.
 */
async function becomeKnown(
  { store, config, door }: FollowDeps,
  application: ApplicationRow & { vcs_repo_url: string },
  options: OpenOptions,
): Promise<string | null> {
  const { id: applicationId, organisation_id: organisationId, git_provider: provider, vcs_repo_url: url } = application;
  try {
    const repository = parseRepository(config, { url, provider });
    const there = await door.identify(organisationId, repository, { ...options, mustAnswer: true });
    return there && (await knowRepository(store.db, { applicationId, provider, url, id: there.id }));
  } catch (error) {
    if (application.is_private || !isOfHost(error)) throw error;
    return null;
  }
}

/** To where the host has it, unless that is an account which nobody of the organisation has linked. */
export async function followLocated(
  deps: Pick<FollowDeps, 'store' | 'config'>,
  application: ApplicationRow,
  ours: LocatedRepository,
): Promise<ApplicationRow> {
  if (isAtSameAccount(application, ours) || ours.isAtLinked) return moveTo(deps, application, ours);
  throw movedAway(application, ours);
}

export function nameTaken({ repository_path: path }: OfPath): Fault {
  return new Fault(
    'VA003',
    `Another repository has the name ${path} now, and nothing that is linked to this organisation reaches the one ` +
      `that was deployed so far. ${IF_MEANT}`,
  );
}

const IF_MEANT = 'If it is meant, say so with "lilac apps update" and --vcs-repo-url.';

export function movedAway({ repository_path: path }: OfPath, { fullName }: HostRepository): Fault {
  return new Fault(
    'VA003',
    `${path} has become ${fullName} at its host, and that account is not linked to this organisation. ${IF_MEANT}`,
  );
}

export function isAtSameAccount({ repository_path: path }: OfPath, { fullName }: HostRepository): boolean {
  return path?.split('/', 1)[0] === fullName.toLowerCase().split('/', 1)[0];
}

async function moveTo(
  { store, config }: Pick<FollowDeps, 'store' | 'config'>,
  application: ApplicationRow,
  { owner, name: repo, fullName }: HostRepository,
): Promise<ApplicationRow> {
  const path = fullName.toLowerCase();
  if (path === application.repository_path) return application;
  const { id: applicationId, organisation_id: organisationId, name, vcs_repo_url: from } = application;
  const parsed = parseRepository(config, { owner, repo, provider: application.git_provider });
  const url = parsed.url.replace(/\.git$/, '');
  await store.db.transaction().execute(async (tx) => {
    if (!(await moveToRepository(tx, { applicationId, from, url, path }))) return;
    const deed = { action: 'repository_renamed', subject: `${name}: ${fullName}`, caller: 'platform' } as const;
    await recordActivity(tx, { organisationId, applicationId, ...deed });
  });
  return { ...application, vcs_repo_url: url, repository_path: path };
}
