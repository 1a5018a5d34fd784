import type pg from 'pg';

/** Rows a time: a platform may have millions of blobs. */
const PAGE = 1000;

/** Artifacts whose files are all there. */
export function listWholeArtifacts(client: pg.Client): AsyncGenerator<string> {
  return pages(client, `select id as name from artifacts where state = 'whole' and id > $1 order by id limit $2`);
}

/** Hashes of the blobs that whole artifacts need, in hex. */
export async function* listNeededBlobs(client: pg.Client): AsyncGenerator<string> {
  // As hex they are in the order of the bytes, so that the index serves every page.
  yield* pages(
    client,
    `select distinct b.hash, encode(b.hash, 'hex') as name
     from artifact_blobs b join artifacts a on a.id = b.artifact_id and a.state = 'whole'
     where b.hash > decode($1, 'hex') order by b.hash limit $2`,
  );
}

/** Keys of the archives that were uploaded whole. */
export function listUploads(client: pg.Client): AsyncGenerator<string> {
  return pages(
    client,
    `select storage_path as name from uploads
     where status in ('ready', 'consumed') and storage_path > $1 order by storage_path limit $2`,
  );
}

/** Keys of the newest backup of every database: what it can be made from again where its own files are lost. */
export async function* listDatabaseBackups(client: pg.Client): AsyncGenerator<string> {
  // A store that was not brought up to date yet has none.
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('database_backups') is not null as there`,
  );
  if (!rows[0]?.there) return;
  yield* pages(
    client,
    `select object_key as name from database_backups b
     where status = 'ready' and purpose in ('automatic', 'manual') and object_key > $1
       and not exists (
         select from database_backups newer
         where newer.database_id = b.database_id and newer.status = 'ready'
           and newer.purpose in ('automatic', 'manual') and (newer.started_at, newer.id) > (b.started_at, b.id))
     order by object_key limit $2`,
  );
}

/** The blobs that an artifact is known to need, in hex. */
export async function readNamedBlobs(client: pg.Client, artifactId: string): Promise<Set<string>> {
  const { rows } = await client.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from artifact_blobs where artifact_id = $1`,
    [artifactId],
  );
  return new Set(rows.map(({ hash }) => hash));
}

async function* pages(client: pg.Client, query: string): AsyncGenerator<string> {
  let last = '';
  for (;;) {
    const { rows } = await client.query<{ name: string }>(query, [last, PAGE]);
    for (const { name } of rows) yield name;
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.name;
  }
}
