import { sql } from 'kysely';
import type { Db } from '../../server/src/db/pool.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { createOrganisation } from '../../server/src/modules/organisations/create-organisation.ts';

export interface Organisation {
  userId: string;
  organisationId: string;
}

/** How many names the selective filter finds, whatever the size. */
export const MATCHES = 20;
/** In every name, and in a few. */
export const BROAD_FILTER = 'app-';
export const SELECTIVE_FILTER = 'needle';

const OTHER_ORGANISATIONS = 10;
const APPLICATIONS_OF_OTHERS = 200;

/** One organisation with so many applications, and others whose rows lie between. */
export async function fillStore(db: Db, applications: number): Promise<Organisation> {
  const owner = await addOrganisation(db, 'Measured');
  // Loading so many rows one entry at a time would take a minute; the vacuum below merges what was put off.
  await sql`alter index applications_name_search set (fastupdate = on)`.execute(db);
  for (let other = 1; other <= OTHER_ORGANISATIONS; other++) {
    const { organisationId } = await addOrganisation(db, `Other ${other}`);
    await addApplications(db, organisationId, APPLICATIONS_OF_OTHERS);
  }
  await addApplications(db, owner.organisationId, applications);
  await sql`alter index applications_name_search set (fastupdate = off)`.execute(db);
  // What the store's own autovacuum does a minute or so after so many rows came.
  await sql`vacuum analyze`.execute(db);
  return owner;
}

async function addOrganisation(db: Db, name: string): Promise<Organisation> {
  const userId = newId('usr');
  const email = `${userId}@example.org`;
  await db.insertInto('users').values({ id: userId, email, first_name: 'Bench', password_hash: '-' }).execute();
  const create = { name, plan: 'pro', ownerId: userId } as const;
  const { id } = await db.transaction().execute((tx) => createOrganisation(tx, create));
  return { userId, organisationId: id };
}

/** Names, states and times are spread so that no order of the list is the order of insertion. */
async function addApplications(db: Db, organisationId: string, count: number): Promise<void> {
  await sql`
    insert into applications (
      id, organisation_id, name, slug, deployment_type, framework, source_type, status, created_at, updated_at
    )
    select
      'app_' || md5(${organisationId} || n), ${organisationId},
      (array['shop', 'blog', 'billing', 'search', 'admin', 'landing'])[1 + n % 6] || '-${sql.raw(BROAD_FILTER)}'
        || case when n % (${count}::int / ${MATCHES}::int) = 0 then ${SELECTIVE_FILTER}::text else substr(md5(n::text), 1, 8) end
        || '-' || n,
      'a' || md5(${organisationId} || n), case when n % 3 = 0 then 'container' else 'static' end, 'react', 'vcs',
      (array['pending', 'building', 'deploying', 'healthy', 'degraded', 'failed'])[1 + n % 6],
      now() - (n::bigint * 7919 % ${count}::int) * interval '1 minute',
      now() - (n::bigint * 104729 % ${count}::int) * interval '1 minute'
    from generate_series(1, ${count}::int) n`.execute(db);
}
