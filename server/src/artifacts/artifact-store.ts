import { sql } from 'kysely';
import { COLLECTION_HOLD } from '../db/collection-hold.ts';
import type { Db, Tx } from '../db/pool.ts';
import type { ContentCoding } from './static-manifest.ts';

/**
 * How a blob that is needed is never deleted: whoever needs one writes a row that names it, in a
 * transaction that holds this lock shared, and looks whether the blob is there only after the commit.
 * Whoever deletes holds it exclusively while checking that no row names the blob and removing it.
 */
const BLOBS_LOCK = 0x626c6f62;

export interface Packing {
  artifactId: string;
  organisationId: string;
  environmentId: string;
  kind: 'static' | 'slug';
  /** In hex, like every hash outside this file. */
  hashes: readonly string[];
}

/** What is known of one compressed form of a blob; `variant` is null where it is not worth having. */
export interface KnownVariant {
  hash: string;
  coding: ContentCoding;
  variant: { hash: string; size: number } | null;
}

/**
 * Names every blob that the artifact will need, the compressed forms that are there already included,
 * and returns those. An attempt that was killed under the same id is taken over.
 */
export async function beginPacking(db: Db, packing: Packing): Promise<KnownVariant[]> {
  return db.transaction().execute(async (tx) => {
    await lockBlobsForUse(tx);
    await insertArtifact(tx, packing);
    await tx.deleteFrom('artifact_blobs').where('artifact_id', '=', packing.artifactId).execute();
    await insertNames(tx, packing.artifactId, packing.hashes);
    return nameVariants(tx, packing.artifactId, packing.hashes);
  });
}

/** False when the artifact was removed while it was packed. */
export async function finishPacking(
  db: Db,
  { artifactId, fileCount, size }: { artifactId: string; fileCount: number; size: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('artifacts')
    .set({ state: 'whole', file_count: fileCount, size })
    .where('id', '=', artifactId)
    .where('state', '=', 'packing')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Makes the artifact need the compressed forms that are known of these blobs; null when there is no such artifact. */
export async function nameKnownVariants(
  db: Db,
  artifactId: string,
  hashes: readonly string[],
): Promise<KnownVariant[] | null> {
  return db.transaction().execute(async (tx) => {
    await lockBlobsForUse(tx);
    return (await keepArtifact(tx, artifactId)) ? nameVariants(tx, artifactId, hashes) : null;
  });
}

/** Makes the artifact need these blobs; false when there is no such artifact. */
export async function nameBlobs(db: Db, artifactId: string, hashes: readonly string[]): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockBlobsForUse(tx);
    if (!(await keepArtifact(tx, artifactId))) return false;
    await insertNames(tx, artifactId, hashes);
    return true;
  });
}

/** Until the transaction ends nobody removes the artifact; false when it is gone, or not whole yet. */
export async function keepArtifact(tx: Tx, artifactId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('artifacts')
    .select('id')
    .where('id', '=', artifactId)
    .where('state', '=', 'whole')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function markCompressed(tx: Tx, artifactId: string): Promise<void> {
  await tx
    .updateTable('artifacts')
    .set({ compressed_at: sql<Date>`now()` })
    .where('id', '=', artifactId)
    .execute();
}

export async function rememberVariants(db: Db, variants: readonly KnownVariant[]): Promise<void> {
  await sql`
    insert into blob_variants (hash, coding, variant_hash, size)
    select * from unnest(
      ${bytesOf(variants.map(({ hash }) => hash))}::bytea[],
      ${variants.map(({ coding }) => coding)}::text[],
      ${variants.map(({ variant }) => variant && Buffer.from(variant.hash, 'hex'))}::bytea[],
      ${variants.map(({ variant }) => variant && variant.size)}::int[]
    )
    on conflict (hash, coding) do update set variant_hash = excluded.variant_hash, size = excluded.size`.execute(db);
}

/** Removes the rows, and returns the blobs that they named. */
export async function deleteArtifacts(db: Db, artifactIds: readonly string[]): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ hash: string }>`
      select distinct encode(hash, 'hex') as hash from artifact_blobs
      where artifact_id = any(${artifactIds}::text[])`.execute(tx);
    await sql`delete from artifacts where id = any(${artifactIds}::text[])`.execute(tx);
    return rows.map(({ hash }) => hash);
  });
}

/**
 * Artifacts that nobody will ever need: their environment is gone; or no deployment has them and none
 * of the environment is moving, so that no build can be making them.
 */
export async function listAbandonedArtifacts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from artifacts a
    where not exists (select from environments e where e.id = a.environment_id)
      or (
        not exists (select from deployments d where d.artifact_id = a.id)
        and not exists (
          select from deployments d
          where d.environment_id = a.environment_id and d.status in ('pending', 'building', 'deploying')
        )
      )`.execute(db);
  return rows.map(({ id }) => id);
}

/** From here to the end of the transaction nobody else may use or delete a blob; false while a backup forbids it. */
export async function lockBlobsForDeletion(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${BLOBS_LOCK})`.execute(tx);
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(${COLLECTION_HOLD}) as "isFree"`.execute(tx);
  return rows[0]!.isFree;
}

/** Those of the blobs that no artifact needs. */
export async function listUnnamedBlobs(db: Db, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select encode(asked.hash, 'hex') as hash from unnest(${bytesOf(hashes)}::bytea[]) as asked (hash)
    where not exists (select from artifact_blobs b where b.hash = asked.hash)`.execute(db);
  return rows.map(({ hash }) => hash);
}

export async function forgetVariantsOf(tx: Tx, hashes: readonly string[]): Promise<void> {
  await sql`
    delete from blob_variants
    where hash = any(${bytesOf(hashes)}::bytea[]) or variant_hash = any(${bytesOf(hashes)}::bytea[])`.execute(tx);
}

/** Of blobs that were collected while somebody still compressed them. */
export async function forgetUnneededVariants(db: Db): Promise<void> {
  await sql`
    delete from blob_variants v
    where not exists (select from artifact_blobs b where b.hash = v.hash)`.execute(db);
}

/** Those of the ids that no artifact has. */
export async function listUnknownArtifacts(db: Db, artifactIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${artifactIds}::text[]) as asked (id)
    where not exists (select from artifacts a where a.id = asked.id)`.execute(db);
  return rows.map(({ id }) => id);
}

async function lockBlobsForUse(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${BLOBS_LOCK})`.execute(tx);
}

async function insertArtifact(tx: Tx, { artifactId, organisationId, environmentId, kind }: Packing): Promise<void> {
  const { rows } = await sql`
    insert into artifacts (id, organisation_id, environment_id, kind)
    values (${artifactId}, ${organisationId}, ${environmentId}, ${kind})
    on conflict (id) do update set created_at = now() where artifacts.state = 'packing'
    returning id`.execute(tx);
  if (rows.length === 0) throw new Error(`The artifact ${artifactId} is packed already.`);
}

async function insertNames(tx: Tx, artifactId: string, hashes: readonly string[]): Promise<void> {
  await sql`
    insert into artifact_blobs (artifact_id, hash)
    select ${artifactId}, hash from unnest(${bytesOf(hashes)}::bytea[]) as named (hash)
    on conflict do nothing`.execute(tx);
}

async function nameVariants(tx: Tx, artifactId: string, hashes: readonly string[]): Promise<KnownVariant[]> {
  const { rows } = await sql<{ hash: string; coding: ContentCoding; variant: string | null; size: number | null }>`
    select encode(hash, 'hex') as hash, coding, encode(variant_hash, 'hex') as variant, size
    from blob_variants where hash = any(${bytesOf(hashes)}::bytea[])`.execute(tx);
  const known = rows.map(({ hash, coding, variant, size }) => ({
    hash,
    coding,
    variant: variant === null || size === null ? null : { hash: variant, size },
  }));
  await insertNames(
    tx,
    artifactId,
    known.flatMap(({ variant }) => (variant ? [variant.hash] : [])),
  );
  return known;
}

function bytesOf(hashes: readonly string[]): Buffer[] {
  return hashes.map((hash) => Buffer.from(hash, 'hex'));
}
