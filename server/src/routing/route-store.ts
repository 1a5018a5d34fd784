import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../db/pool.ts';
import type { RoutesTable } from '../db/schema.ts';
import { letGoWhenFrozen } from '../db/store-client.ts';
import type { EdgeLoad, EdgePeers } from './edge-load.ts';
import type { Route, RouteLock, RouteTarget } from './route.ts';

/** Edges listen here; the payload is the newest version. A wake-up only: the truth is in the table. */
export const ROUTES_CHANNEL = 'lilac_routes';

/** Any number of ours; one lock for whoever changes routes. */
const ROUTES_LOCK = 0x726f7574;
/** An edge that has said nothing for this long is not waited for. */
const EDGE_SILENCE_SECONDS = 10;

export interface RouteChange {
  environmentId: string;
  subdomain: string | null;
  /** Left out, it stays as it is, which is null for a new route: a renamed environment serves what it served. */
  target?: RouteTarget | null;
  /** Left out, it stays as it is, which is null for a new route. */
  lock?: RouteLock | null;
  /** Left out, it stays as it is, which is false for a new route. */
  accessLog?: boolean;
  /** Left out, it stays as it is, which is null for a new route. */
  domain?: string | null;
  /** Left out, it stays as it is, which is true for a new route. */
  atSubdomain?: boolean;
}

/**
 * Writes what edges are to do, and returns the version they must reach. Call it last in a transaction:
 * from here to the commit others wait, so that versions become visible in their order.
 */
export async function publishRoute(
  tx: Tx,
  { environmentId, subdomain, target, lock, accessLog, domain, atSubdomain }: RouteChange,
): Promise<number> {
  // One statement, since releases wait for it. The version is drawn for a row that is there once the lock is held.
  const { rows } = await sql<{ version: string }>`
    with turn as materialized (select pg_advisory_xact_lock(${ROUTES_LOCK}), ${letGoWhenFrozen}),
    written as (
      insert into routes (environment_id, subdomain, target, lock, access_log, domain, at_subdomain, version)
      select
        ${environmentId}, ${subdomain}, ${jsonOf(target)}::jsonb, ${jsonOf(lock)}::jsonb, ${accessLog ?? false}::boolean,
        ${domain ?? null}::text, ${atSubdomain ?? true}::boolean, nextval('route_versions')
      from turn
      on conflict (environment_id) do update set
        subdomain = excluded.subdomain,
        target = case when ${target === undefined} then routes.target else excluded.target end,
        lock = case when ${lock === undefined} then routes.lock else excluded.lock end,
        access_log = case when ${accessLog === undefined} then routes.access_log else excluded.access_log end,
        domain = case when ${domain === undefined} then routes.domain else excluded.domain end,
        at_subdomain = case when ${atSubdomain === undefined} then routes.at_subdomain else excluded.at_subdomain end,
        version = excluded.version,
        changed_at = now()
      returning version
    )
    select version, pg_notify(${ROUTES_CHANNEL}, version::text) from written`.execute(tx);
  return Number(rows[0]!.version);
}

const jsonOf = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null);

const ROUTE_COLUMNS = [
  'environment_id',
  'subdomain',
  'target',
  'lock',
  'access_log',
  'domain',
  'at_subdomain',
  'version',
] as const;

/** Everything that changed after the given version, in its order; all routes for 0. */
export async function readRoutesAfter(db: Db, version: number): Promise<Route[]> {
  const rows = await db
    .selectFrom('routes')
    .select(ROUTE_COLUMNS)
    .where('version', '>', String(version))
    .orderBy('version')
    .execute();
  return rows.map(routeOf);
}

function routeOf(row: Omit<Selectable<RoutesTable>, 'changed_at'>): Route {
  return {
    environmentId: row.environment_id,
    subdomain: row.subdomain,
    target: row.target as RouteTarget | null,
    lock: row.lock as RouteLock | null,
    accessLog: row.access_log,
    domain: row.domain,
    atSubdomain: row.at_subdomain,
    version: Number(row.version),
  };
}

/** Which of all edges it is, and where it is reached from other hosts, where it is. */
export interface EdgeName {
  name: string;
  address?: EdgeAddress | null | undefined;
  /** Environments of which it asks how many edges are visited for them. */
  tight?: readonly string[] | undefined;
  /** How many edges there are, itself included, where it knows that well enough: then they are not counted. */
  knownEdges?: number | undefined;
}

export interface EdgeAddress {
  bind: string;
  port: number;
}

/** An edge says that it serves by this version, and what it has to do. It is told how many others do the same. */
export async function reportEdge(
  db: Db,
  edge: string | EdgeName,
  version: number,
  load: EdgeLoad = NO_LOAD,
): Promise<EdgePeers> {
  const { name, address = null, tight = [], knownEdges } = typeof edge === 'string' ? { name: edge } : edge;
  const values = { version, load: JSON.stringify(load), address: address && JSON.stringify(address) };
  const living = sql`other.name <> edges.name and other.seen_at > now() - ${EDGE_SILENCE_SECONDS} * interval '1 second'`;
  const counted = sql<number>`(select count(*)::int from edges other where ${living})`;
  const others = knownEdges === undefined ? counted : sql<number>`${knownEdges - 1}::int`;
  // What every edge has to do is read through for this, so that few ask it.
  const visitors = sql<Record<string, number> | null>`(
    select jsonb_object_agg(id, count) from (
      select id, count(*)::int from edges other, jsonb_object_keys(other.load -> 'environments') id
      where ${living} and id in (select unnest(${tight}::text[]))
      group by id
    ) served
  )`;
  const asked = tight.length === 0 ? sql<null>`null` : visitors;
  const reported = await db
    .insertInto('edges')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ ...values, seen_at: sql<Date>`now()` }))
    .returning([others.as('others'), asked.as('visitors')])
    .executeTakeFirstOrThrow();
  const visited = tight.map((id): [string, number] => [id, (reported.visitors?.[id] ?? 0) + 1]);
  return { edges: reported.others + 1, visited: new Map(visited) };
}

const NO_LOAD: EdgeLoad = { environments: {}, instances: {}, silent: {} };

/** An edge's last words. */
export interface EdgeReport {
  version: number;
  load: EdgeLoad;
  /** It has said nothing for so long that it is gone, unless the store was away. */
  isOverdue: boolean;
  /** Which of all its reports it is. */
  stamp?: string;
}

const isOverdue = sql<boolean>`seen_at <= now() - ${EDGE_SILENCE_SECONDS} * interval '1 second'`;

/**
 * What every edge reported last, by its name. Those that stopped in order are not in it. Reports are large, and are
 * looked for far more often than an edge writes one: what is known already is not read again.
 */
export async function readEdgeLoads(
  db: Db,
  known: ReadonlyMap<string, EdgeReport> = new Map(),
): Promise<Map<string, EdgeReport>> {
  const stamps = [...known.values()].map(({ stamp }) => stamp ?? '');
  // Which transaction has written a row is another with every report.
  const { rows } = await sql<EdgeReportRow>`
    select edges.name, edges.xmin::text as stamp, ${isOverdue} as "isOverdue", known.name is not null as "isKnown",
      case when known.name is null then version end as version, case when known.name is null then load end as load
    from edges left join unnest(${[...known.keys()]}::text[], ${stamps}::text[]) known (name, stamp)
      on known.name = edges.name and known.stamp = edges.xmin::text`.execute(db);
  return new Map(
    rows.map(({ name, stamp, isOverdue, isKnown, version, load }) => [
      name,
      isKnown
        ? { ...known.get(name)!, isOverdue }
        : { stamp, isOverdue, version: Number(version), load: { ...NO_LOAD, ...load } },
    ]),
  );
}

interface EdgeReportRow {
  name: string;
  stamp: string;
  isOverdue: boolean;
  isKnown: boolean;
  /** Null where they are known. */
  version: string | null;
  load: Partial<EdgeLoad> | null;
}

/** An edge that stops need not be waited for. */
export async function forgetEdge(db: Db, name: string): Promise<void> {
  await db.deleteFrom('edges').where('name', '=', name).execute();
}

/** Those whose names begin so and who fell silent: nobody need look out for them any more, until they report again. */
export async function forgetOverdueEdges(db: Db, beginnings: readonly string[]): Promise<void> {
  await sql`
    delete from edges
    where ${isOverdue} and exists (select from unnest(${beginnings}::text[]) b where starts_with(name, b))`.execute(db);
}

/** How an environment is served; null where edges have never heard of it. */
export async function findRoute(db: Db | Tx, environmentId: string): Promise<Route | null> {
  const row = await db
    .selectFrom('routes')
    .select(ROUTE_COLUMNS)
    .where('environment_id', '=', environmentId)
    .executeTakeFirst();
  return row ? routeOf(row) : null;
}

/** Where edges that live are reached from other hosts, by their names. */
export async function readEdgeAddresses(db: Db): Promise<Map<string, EdgeAddress>> {
  const rows = await db
    .selectFrom('edges')
    .select(['name', 'address'])
    .where('seen_at', '>', sql<Date>`now() - ${EDGE_SILENCE_SECONDS} * interval '1 second'`)
    .orderBy('name')
    .execute();
  return new Map(
    rows.flatMap(({ name, address }) => (address ? [[name, JSON.parse(address) as EdgeAddress] as const] : [])),
  );
}

/** Whether any edge lives at all. */
export async function hasLivingEdge(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('edges')
    .select('name')
    .where('seen_at', '>', sql<Date>`now() - ${EDGE_SILENCE_SECONDS} * interval '1 second'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How far an edge is. */
export interface EdgeProgress {
  name: string;
  /** It has not reached the version. */
  isBehind: boolean;
  /** See `EdgeReport`. */
  isOverdue: boolean;
}

/** All edges but those that stopped in order. */
export async function readEdges(db: Db, version: number): Promise<EdgeProgress[]> {
  const rows = await db
    .selectFrom('edges')
    .select(['name', 'version', isOverdue.as('isOverdue')])
    .execute();
  return rows.map(({ name, isOverdue, ...row }) => ({ name, isBehind: Number(row.version) < version, isOverdue }));
}

/** Names of the edges that have not reached the version: those that live, and those that may be found to. */
export async function edgesBehind(db: Db, version: number, { mayReturn = false } = {}): Promise<string[]> {
  const edges = await readEdges(db, version);
  return edges.flatMap(({ name, isBehind, isOverdue }) => (isBehind && (mayReturn || !isOverdue) ? name : []));
}

/** Forgets withdrawn routes that every edge has heard of long ago; edges that start read the whole table. */
export async function purgeWithdrawnRoutes(db: Db, olderThanHours: number): Promise<void> {
  await db
    .deleteFrom('routes')
    .where('subdomain', 'is', null)
    .where('changed_at', '<', sql<Date>`now() - ${olderThanHours} * interval '1 hour'`)
    .execute();
}

/** Forgets edges that will not come back: a machine that was taken away. */
export async function purgeSilentEdges(db: Db, olderThanHours: number): Promise<void> {
  await db
    .deleteFrom('edges')
    .where('seen_at', '<', sql<Date>`now() - ${olderThanHours} * interval '1 hour'`)
    .execute();
}
