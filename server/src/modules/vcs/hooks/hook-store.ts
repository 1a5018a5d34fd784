import type { GitProvider } from '@lilac/contract/states';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { ApplicationRow, VcsConnectionRow } from '../../../db/schema.ts';

export type HookedProvider = 'provider2' | 'provider3';

export interface HookedRepository {
  provider: HookedProvider;
  repositoryId: string;
}

/** An application that a host may tell of pushes; of the first host, by the webhook of its app. */
export type HookedApplication = Pick<ApplicationRow, 'id' | 'organisation_id' | 'repository_path'> & {
  provider: GitProvider;
  url: string;
  /** Null while nobody has asked the host for it. */
  repositoryId: string | null;
  /** Something of it is to happen on a push. */
  wantsPushes: boolean;
};

export interface WaitingForPushes {
  id: string;
  /** In lower case. */
  path: string | null;
}

/** What somebody who reads `a` can be asked: whether a push would deploy, make or delete an environment of it. */
const wantsPushes = sql<boolean>`(
  a.status <> 'deleting' and (
    a.auto_delete_stale_envs
    or (a.auto_deploy_on_push and cardinality(a.auto_deploy_branches) > 0)
    or exists (select from environments e where e.application_id = a.id and e.auto_deploy and e.status <> 'deleting')
  )
)`;

const repositoryIdOf = sql<string | null>`
  case a.git_provider
    when 'provider1' then a.provider1_repo_id::text
    when 'provider2' then a.provider2_project_id::text
    else a.provider3_repo_uuid
  end`;

const accountOf = sql<string>`split_part(a.repository_path, '/', 1)`;

/** Null when it is gone, or has no repository. */
export async function findHookedApplication(db: Db | Tx, applicationId: string): Promise<HookedApplication | null> {
  const found = await db
    .selectFrom('applications as a')
    .select(['a.id', 'a.organisation_id', 'a.git_provider', 'a.vcs_repo_url', 'a.repository_path'])
    .select([repositoryIdOf.as('repositoryId'), wantsPushes.as('wantsPushes')])
    .where('a.id', '=', applicationId)
    .where('a.source_type', '=', 'vcs')
    .executeTakeFirst();
  if (!found || found.vcs_repo_url === null) return null;
  const { git_provider: provider, vcs_repo_url: url, ...rest } = found;
  return { ...rest, provider, url };
}

/** The applications of an organisation that the host is to tell of pushes. */
export async function listWaitingForPushes(
  db: Db,
  { organisationId, provider }: { organisationId: string; provider: GitProvider },
): Promise<WaitingForPushes[]> {
  return db
    .selectFrom('applications as a')
    .select(['a.id', 'a.repository_path as path'])
    .where('a.organisation_id', '=', organisationId)
    .where('a.git_provider', '=', provider)
    .where('a.repository_path', 'is not', null)
    .where(wantsPushes)
    .orderBy('a.id')
    .execute();
}

/**
 * Those that an installation may include, in whichever organisation has linked it: of its account, or of one that was
 * called otherwise when the repository was last looked at.
 */
export async function listWaitingAtInstallation(db: Db, installationId: number): Promise<string[]> {
  const found = await db
    .selectFrom('applications as a')
    .innerJoin('vcs_installation_links as l', 'l.organisation_id', 'a.organisation_id')
    .innerJoin('vcs_installations as i', 'i.id', 'l.installation_id')
    .select('a.id')
    .where('i.id', '=', String(installationId))
    .where('a.git_provider', '=', 'provider1')
    .where(sql<boolean>`(a.provider1_repo_id is not null or ${accountOf} = lower(i.account_login))`)
    .where(wantsPushes)
    .orderBy('a.id')
    .execute();
  return found.map(({ id }) => id);
}

/** Lists the applications of every host and organisation. */
export async function listWantingPushes(db: Db): Promise<string[]> {
  const found = await db
    .selectFrom('applications as a')
    .select('a.id')
    .where('a.source_type', '=', 'vcs')
    .where('a.vcs_repo_url', 'is not', null)
    .where(wantsPushes)
    .orderBy('a.id')
    .execute();
  return found.map(({ id }) => id);
}

export interface PushStandingRow {
  wantsPushes: boolean;
  trouble: string | null;
  hasHook: boolean;
  /** Something that was linked has reached it once. */
  isKnown: boolean;
  /**
   * Something that is linked to the organisation and may be used. Of the first host, at the repository's account; where
   * no installation is of that name, the account may have another by now, and `trouble` tells of a known repository
   * whether one of the others includes it.
   */
  isLinked: boolean;
}

export async function findPushStanding(db: Db | Tx, applicationId: string): Promise<PushStandingRow | null> {
  const { rows } = await sql<PushStandingRow>`
    select ${wantsPushes} as "wantsPushes", a.push_trouble as trouble,
      ${repositoryIdOf} is not null as "isKnown",
      exists (
        select from vcs_hooks h
        where h.provider = a.git_provider and lower(h.repository_id) = lower(${repositoryIdOf})
      ) as "hasHook",
      case a.git_provider when 'provider1' then coalesce((
        select coalesce(
          bool_or(not i.is_suspended) filter (where lower(i.account_login) = ${accountOf}),
          bool_or(not i.is_suspended) and a.provider1_repo_id is not null
        )
        from vcs_installation_links l join vcs_installations i on i.id = l.installation_id
        where l.organisation_id = a.organisation_id
      ), false) else exists (
        select from vcs_connection_links l join vcs_connections c on c.id = l.connection_id
        where l.organisation_id = a.organisation_id and c.provider = a.git_provider and c.trouble is null
      ) end as "isLinked"
    from applications a where a.id = ${applicationId}`.execute(db);
  return rows[0] ?? null;
}

/** Whether any application, of whichever organisation, waits for pushes of the repository. */
export async function isHookWanted(db: Db, { provider, repositoryId }: HookedRepository): Promise<boolean> {
  const found = await db
    .selectFrom('applications as a')
    .select('a.id')
    .where('a.git_provider', '=', provider)
    .where(sql`lower(${repositoryIdOf})`, '=', repositoryId.toLowerCase())
    .where(wantsPushes)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function saveHook(
  tx: Tx,
  { provider, repositoryId, hookId, connectionId }: HookedRepository & { hookId: string; connectionId: string },
): Promise<void> {
  const made = { hook_id: hookId, connection_id: connectionId };
  await tx
    .insertInto('vcs_hooks')
    .values({ provider, repository_id: repositoryId, ...made })
    .onConflict((conflict) => conflict.columns(['provider', 'repository_id']).doUpdateSet(made))
    .execute();
}

export interface MadeHook {
  hookId: string;
  /** By which it was made; null when it is gone. */
  connection: VcsConnectionRow | null;
}

export async function findHook(db: Db, { provider, repositoryId }: HookedRepository): Promise<MadeHook | null> {
  const hook = await db
    .selectFrom('vcs_hooks')
    .select(['hook_id', 'connection_id'])
    .where('provider', '=', provider)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst();
  if (!hook) return null;
  const connection = await db
    .selectFrom('vcs_connections')
    .selectAll()
    .where('id', '=', hook.connection_id)
    .executeTakeFirst();
  return { hookId: hook.hook_id, connection: connection ?? null };
}

export async function deleteHook(
  db: Db,
  { provider, repositoryId, hookId }: HookedRepository & { hookId: string },
): Promise<void> {
  await db
    .deleteFrom('vcs_hooks')
    .where('provider', '=', provider)
    .where('repository_id', '=', repositoryId)
    .where('hook_id', '=', hookId)
    .execute();
}
