import { sql } from 'kysely';
import type { Tx } from '../db/pool.ts';
import { ROUTES_CHANNEL } from '../routing/route-store.ts';

/**
 * An edge reads only what is newer than what it has, and may have seen versions that the backup does not
 * know. So every restored route gets a new version, beyond all that were given out before, and routes
 * that the backup does not have are withdrawn. The time is among what is compared: the store in which
 * the newest versions were given out may be lost.
 */
export async function renewRoutes(tx: Tx, { beside, target }: { beside: string; target: string }): Promise<void> {
  const restored = sql.table(`${beside}.routes`);
  const replaced = sql.table(`${target}.routes`);
  await sql`
    select setval('route_versions', greatest(
      (select last_value from ${sql.table(`${beside}.route_versions`)}),
      (select last_value from ${sql.table(`${target}.route_versions`)}),
      (select max(version) from ${restored}),
      (select max(version) from ${replaced}),
      (extract(epoch from clock_timestamp()) * 1000)::bigint
    ))`.execute(tx);
  await sql`
    update ${restored} r set version = renewed.version
    from (
      select environment_id, nextval('route_versions') as version
      from (select environment_id from ${restored} order by version) o
    ) renewed
    where renewed.environment_id = r.environment_id`.execute(tx);
  await sql`
    insert into ${restored} (environment_id, subdomain, target, version)
    select environment_id, null, null, nextval('route_versions') from ${replaced} old
    where not exists (select from ${restored} r where r.environment_id = old.environment_id)`.execute(tx);
  await sql`select pg_notify(${ROUTES_CHANNEL}, last_value::text) from route_versions`.execute(tx);
}
