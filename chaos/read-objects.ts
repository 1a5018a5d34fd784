import type { Store } from '../server/src/db/pool.ts';
import { COMPLETION_GRACE_MS } from '../server/src/modules/uploads/upload.ts';

/** Of what is in the object store, by what the store says. */
export interface StoredObjects {
  /** Every key that a row names which is somebody's. */
  named: Set<string>;
  /** Those that must be there. */
  needed: Set<string>;
  /** Rows that are nobody's, in words: what they name is left like themselves. */
  abandoned: string[];
}

export async function readObjects({ pool }: Pick<Store, 'pool'>): Promise<StoredObjects> {
  const { rows: keys } = await pool.query<{ key: string; isNeeded: boolean }>(OBJECTS);
  const { rows: abandoned } = await pool.query<{ what: string }>(ABANDONED);
  return {
    named: new Set(keys.map(({ key }) => key)),
    needed: new Set(keys.filter(({ isNeeded }) => isNeeded).map(({ key }) => key)),
    abandoned: abandoned.map(({ what }) => what),
  };
}

/**
 * A deployment has it; or one of its environment moves, whose it may be: that is written down once it is packed. Of an
 * environment that is gone there are no deployments.
 */
const IS_ARTIFACT_WANTED = `
  exists (
    select from deployments d
    where d.artifact_id = a.id
      or (d.environment_id = a.environment_id and d.status in ('pending', 'building', 'deploying')))`;

/** An archive that was deployed is kept as long as that deployment, and a dump until it is imported. */
const IS_UPLOAD_USED = `
  exists (select from deployments d where d.upload_id = u.id)
  or exists (select from database_imports i where i.upload_id = u.id)`;

/** While an artifact is packed, what it names need not be there yet. */
const OBJECTS = `
  with wanted as (select id, state = 'whole' as "isNeeded" from artifacts a where ${IS_ARTIFACT_WANTED})
  select 'manifests/' || id || '.json' as key, "isNeeded" from wanted
  union
  select 'blobs/' || substr(encode(hash, 'hex'), 1, 2) || '/' || encode(hash, 'hex'), "isNeeded"
  from artifact_blobs join wanted on wanted.id = artifact_id
  union
  select storage_path, status in ('ready', 'consumed') from uploads u
  where status = 'ready' or (status = 'consumed' and (${IS_UPLOAD_USED}))
    or (status = 'reserved' and expires_at > now() - interval '${COMPLETION_GRACE_MS} milliseconds')
  union select object_key, status = 'ready' from database_backups`;

/** Of uploads that expired the row is kept for a while, on purpose, and their archive is not. */
const ABANDONED = `
  select format('artifact %s of %s (%s)', id, environment_id, state) as what from artifacts a
  where not (${IS_ARTIFACT_WANTED})
  union all
  select format('upload %s (%s)', id, status) from uploads u where status = 'consumed' and not (${IS_UPLOAD_USED})`;
