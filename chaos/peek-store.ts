import { openStore, type Store } from '../server/src/db/pool.ts';
import type { RouteTarget } from '../server/src/routing/route.ts';
import { storeAddressOf } from '../server/src/store/store-address.ts';
import { readMoving } from './read-moving.ts';
import { readObjects, type StoredObjects } from './read-objects.ts';

/** What the store says there is. Whoever checks looks at it directly, not through those who are checked. */
export interface StorePeek extends AsyncDisposable {
  /** Everything that is on its way somewhere. */
  moving(): Promise<string[]>;
  /** Of every environment, and of those that are gone as long as edges are to hear of it. */
  routes(): Promise<StoredRoute[]>;
  /** Edges that live, and the version that each serves. */
  edges(): Promise<{ name: string; version: number }[]>;
  objects(): Promise<StoredObjects>;
  databaseServers(): Promise<{ id: string; port: number; publicPort: number }[]>;
  /** Of every environment. */
  failedDeployments(): Promise<StoredFailure[]>;
  /** Applications and databases, all of them. */
  created(): Promise<StoredThing[]>;
  /** Lets what is done every hour, or every quarter of one, be done now. */
  hastenSweeps(): Promise<void>;
}

export interface StoredFailure {
  id: string;
  environmentId: string;
  error: string;
  createdAt: Date;
  completedAt: Date;
}

export interface StoredThing {
  kind: 'application' | 'database';
  name: string;
  status: string;
  error: string;
  createdAt: Date;
  updatedAt: Date;
  /** Production of an application; null of a database. */
  environmentId: string | null;
}

export interface StoredRoute {
  environmentId: string;
  /** Null: the environment is gone, or edges know nothing of it. */
  subdomain: string | null;
  /** What the environment says its subdomain is; null where there is none any more. */
  ownSubdomain: string | null;
  /** Of the application; null where there is none any more. */
  applicationName: string | null;
  /** Whether edges were ever told of it. */
  isRouted: boolean;
  target: RouteTarget | null;
  version: number;
  /** Null where there is no such environment any more. */
  liveDeploymentId: string | null;
  isThere: boolean;
}

export function peekStore(home: string): StorePeek {
  const store = openStore(storeAddressOf({ home, databaseUrl: null }), { max: 2, applicationName: 'chaos' });
  return {
    moving: () => readMoving(store),
    routes: () => readRoutes(store),
    edges: async () =>
      (await rowsOf<{ name: string; version: string }>(store, EDGES)).map(({ name, version }) => ({
        name,
        version: Number(version),
      })),
    objects: () => readObjects(store),
    databaseServers: () => rowsOf(store, SERVERS),
    failedDeployments: () => rowsOf(store, FAILED),
    created: () => rowsOf(store, CREATED),
    async hastenSweeps() {
      await store.pool.query(HASTEN);
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

export async function readRoutes(store: Pick<Store, 'pool'>): Promise<StoredRoute[]> {
  const rows = await rowsOf<Omit<StoredRoute, 'version'> & { number: string }>(store, ROUTES);
  return rows.map(({ number, ...row }) => ({ ...row, version: Number(number) }));
}

async function rowsOf<Row extends object>({ pool }: Pick<Store, 'pool'>, text: string): Promise<Row[]> {
  return (await pool.query<Row>(text)).rows;
}

/** Both ways: a route may lack its environment, and an environment its route. */
const ROUTES = `
  select coalesce(r.environment_id, e.id) as "environmentId", r.environment_id is not null as "isRouted", r.subdomain,
    r.target, coalesce(r.version, 0) as number, e.live_deployment_id as "liveDeploymentId", e.id is not null as "isThere",
    e.subdomain as "ownSubdomain", a.name as "applicationName"
  from routes r full join environments e on e.id = r.environment_id left join applications a on a.id = e.application_id`;

const EDGES = `select name, version from edges where seen_at > now() - interval '10 seconds'`;

const SERVERS = `
  select s.id, s.port, d.port as "publicPort" from database_servers s join databases d on d.id = s.database_id`;

const FAILED = `
  select id, environment_id as "environmentId", coalesce(error, '') as error, created_at as "createdAt",
    coalesce(completed_at, now()) as "completedAt"
  from deployments where status = 'failed'`;

const CREATED = `
  select 'database' as kind, name, status, coalesce(error, '') as error, created_at as "createdAt",
    updated_at as "updatedAt", null as "environmentId"
  from databases
  union all
  select 'application', a.name, a.status, '', a.created_at, a.updated_at, e.id
  from applications a left join environments e on e.application_id = a.id and e.is_production`;

const HASTEN = `
  with hastened as (
    update jobs set run_at = now()
    where state = 'queued' and kind in ('deployments.sweep', 'uploads.sweep', 'logs.retain')
    returning kind
  )
  select pg_notify('lilac_jobs', kind) from hastened`;
