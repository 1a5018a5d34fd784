import type { Plan } from '@lilac/contract/plans';
import type { EnvironmentStatus } from '@lilac/contract/states';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { RunSpec } from '../../db/run-spec.ts';
import type { RouteTarget } from '../../routing/route.ts';
import type { DatabaseLinks } from '../databases/links/link-store.ts';

/** What is looked at again and again: whether anything about an environment has changed. */
export interface Outline {
  environmentId: string;
  status: EnvironmentStatus;
  plan: Plan;
  /** What its instances are told of where they are: its address, its name, that of the application. */
  names: string[];
  min: number;
  max: number;
  liveDeploymentId: string | null;
  trouble: string | null;
  /** The deployments that a job is releasing. */
  releasing: string[];
  /** Zero where edges have never heard of it. */
  routeVersion: number;
}

/**
 * Environments with a server about which there is something to do, and the given ones. Those that are gone are not in
 * it, and neither are those that sleep as they should: of a million, most do.
 */
export async function readOutlines(db: Db, others: readonly string[]): Promise<Outline[]> {
  const { rows } = await sql<OutlineRow>`
    ${OUTLINE} where (live.run is not null and not (${IS_ASLEEP})) or e.id in (select unnest(${others}::text[]))`.execute(
    db,
  );
  return rows.map(outlineOf);
}

export async function readOutline(db: Db, environmentId: string): Promise<Outline | null> {
  const { rows } = await sql<OutlineRow>`${OUTLINE} where e.id = ${environmentId}`.execute(db);
  return rows[0] ? outlineOf(rows[0]) : null;
}

type OutlineRow = Omit<Outline, 'routeVersion'> & { routeVersion: string };
const outlineOf = (row: OutlineRow): Outline => ({ ...row, routeVersion: Number(row.routeVersion) });

const OUTLINE = sql`
  select e.id as "environmentId", e.status, o.plan, array[e.subdomain, e.name, a.name] as names,
    e.min_instances as min, e.max_instances as max,
    e.live_deployment_id as "liveDeploymentId", e.trouble, coalesce(r.version, 0) as "routeVersion",
    array(select id from deployments d where d.environment_id = e.id and d.status = 'deploying') as releasing
  from environments e
  join organisations o on o.id = e.organisation_id
  join applications a on a.id = e.application_id
  left join deployments live on live.id = e.live_deployment_id
  left join routes r on r.environment_id = e.id`;

/** Nobody is wanted, nobody is listed, and edges have been told everything that its rows say. */
const IS_ASLEEP = sql`
  e.status <> 'deleting' and e.min_instances = 0 and e.trouble is null
  and coalesce(r.target @> jsonb_build_object('kind', 'instances', 'deploymentId', live.id,
    'maxInstances', e.max_instances, 'outage', null, 'probe', null), false)
  and r.target -> 'instances' = '[]' and r.target -> 'lost' is null
  and not exists (select from deployments d where d.environment_id = e.id and d.status = 'deploying')`;

/** A deployment that runs, with everything its instances are made of; its variables are sealed. */
export interface RunnableRow {
  organisationId: string;
  environmentId: string;
  environmentName: string;
  subdomain: string;
  applicationName: string;
  deploymentId: string;
  run: RunSpec;
  variables: string | null;
  databaseLinks: DatabaseLinks;
  artifactId: string;
  hash: Buffer;
  commitSha: string | null;
  branch: string | null;
}

/** Null when it is static, or its files are gone. */
export async function readRunnable(db: Db, deploymentId: string): Promise<RunnableRow | null> {
  const { rows } = await sql<RunnableRow>`
    select d.organisation_id as "organisationId", e.id as "environmentId", e.name as "environmentName", e.subdomain,
      a.name as "applicationName", d.id as "deploymentId", d.run, d.variables, d.database_links as "databaseLinks", art.id as "artifactId", b.hash,
      d.commit_sha as "commitSha", d.vcs_branch as branch
    from deployments d
    join environments e on e.id = d.environment_id
    join applications a on a.id = d.application_id
    join artifacts art on art.id = d.artifact_id and art.state = 'whole' and art.kind = 'slug'
    join artifact_blobs b on b.artifact_id = art.id
    where d.id = ${deploymentId} and d.run is not null
    limit 1`.execute(db);
  return rows[0] ?? null;
}

export interface HeldRoute {
  subdomain: string;
  status: EnvironmentStatus;
  liveDeploymentId: string | null;
  target: RouteTarget | null;
  isReleasing: boolean;
}

/**
 * Nobody else changes the environment, nor what edges are told of it, until the transaction ends. Null when it is gone.
 */
export async function holdRoute(tx: Tx, environmentId: string): Promise<HeldRoute | null> {
  // A statement of its own: one that also read the route would show it as it was before the wait for the lock.
  await sql`select from environments where id = ${environmentId} for no key update`.execute(tx);
  const { rows } = await sql<HeldRoute>`
    select e.subdomain, e.status, e.live_deployment_id as "liveDeploymentId", r.target,
      exists (select from deployments d where d.environment_id = e.id and d.status = 'deploying') as "isReleasing"
    from environments e left join routes r on r.environment_id = e.id
    where e.id = ${environmentId}`.execute(tx);
  return rows[0] ?? null;
}

export async function writeTrouble(
  tx: Tx,
  { environmentId, deploymentId, trouble }: { environmentId: string; deploymentId: string; trouble: string | null },
): Promise<void> {
  await tx
    .updateTable('environments')
    .set({ trouble })
    .where('id', '=', environmentId)
    .where('live_deployment_id', '=', deploymentId)
    .execute();
}

/** Where its instances turned out to listen. */
export async function notePort(db: Db, deploymentId: string, port: number): Promise<void> {
  await sql`
    update deployments set run = run || jsonb_build_object('port', ${port}::int, 'isPortKnown', true)
    where id = ${deploymentId} and run is not null`.execute(db);
}
