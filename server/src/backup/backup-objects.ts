import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type pg from 'pg';
import { isSlugManifest, type SlugManifest } from '../artifacts/slug-manifest.ts';
import { blobKey, manifestKey, type StaticFile, type StaticManifest } from '../artifacts/static-manifest.ts';
import { KeyRefused } from '../objects/object-key.ts';
import { ObjectMissing, type ObjectStore } from '../objects/object-store.ts';
import { BackupError, type ObjectLine } from './backup-format.ts';
import {
  listDatabaseBackups,
  listNeededBlobs,
  listUploads,
  listWholeArtifacts,
  readNamedBlobs,
} from './backup-objects-store.ts';

export interface ObjectsReport {
  count: number;
  bytes: number;
  /** Keys that rows name and under which there is nothing: what is served of them is broken already. */
  missing: string[];
  /** Blobs whose content is not what their name says: the disk has changed them. */
  damaged: string[];
}

export interface ObjectsToWrite {
  client: pg.Client;
  objects: ObjectStore;
  /** Filled in on the way. */
  report: ObjectsReport;
}

/**
 * Every object that the snapshot's rows name, each as a line and its bytes: manifests first, then blobs,
 * then uploads, then the newest backup of every database. Collection must be held meanwhile (`holdObjects`).
 */
export async function* objectsOf({ client, objects, report }: ObjectsToWrite): AsyncGenerator<Buffer> {
  for await (const id of listWholeArtifacts(client)) {
    const manifest = await readManifest(client, objects, id);
    if (manifest)
      yield* write(report, { key: manifestKey(id), size: manifest.length, pieces: Readable.from([manifest]) });
    else report.missing.push(manifestKey(id));
  }
  for await (const hash of listNeededBlobs(client)) {
    const key = blobKey(hash);
    const found = await openObject(objects, key);
    if (found) yield* write(report, { ...found, pieces: checked(found.pieces, hash, () => report.damaged.push(key)) });
    else report.missing.push(key);
  }
  for await (const key of listUploads(client)) {
    // An archive that was built is removed in time: its absence is nothing to tell.
    const found = await openObject(objects, key);
    if (found) yield* write(report, found);
  }
  for await (const key of listDatabaseBackups(client)) {
    const found = await openObject(objects, key);
    if (found) yield* write(report, found);
    else report.missing.push(key);
  }
}

/** Of a site only with compressed forms that are in the backup too: some may have come after its moment. */
async function readManifest(client: pg.Client, objects: ObjectStore, id: string): Promise<Buffer | null> {
  const found = await openObject(objects, manifestKey(id));
  if (!found) return null;
  const manifest = (await json(found.pieces)) as StaticManifest | SlugManifest;
  if (isSlugManifest(manifest)) return Buffer.from(JSON.stringify(manifest));
  const named = await readNamedBlobs(client, id);
  const files = Object.entries(manifest.files).map(([path, file]) => [path, withOnly(file, named)]);
  return Buffer.from(JSON.stringify({ ...manifest, files: Object.fromEntries(files) as StaticManifest['files'] }));
}

function withOnly(file: StaticFile, named: ReadonlySet<string>): StaticFile {
  const kept = Object.entries(file.variants).filter(([, variant]) => named.has(variant.hash));
  return { ...file, variants: Object.fromEntries(kept) };
}

interface OpenObject {
  key: string;
  size: number;
  pieces: AsyncIterable<Buffer>;
}

/** Null when there is none. Once it is open, its bytes stay readable whatever becomes of the key. */
async function openObject(objects: ObjectStore, key: string): Promise<OpenObject | null> {
  try {
    const found = await objects.stat(key);
    if (!found) return null;
    const pieces = objects.read(key)[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    const first = await pieces.next();
    return { key, size: found.size, pieces: piecesFrom(first, pieces) };
  } catch (error) {
    if (error instanceof ObjectMissing || error instanceof KeyRefused) return null;
    throw error;
  }
}

async function* piecesFrom(
  first: IteratorResult<Buffer, undefined>,
  rest: AsyncIterator<Buffer, undefined>,
): AsyncGenerator<Buffer> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* checked(pieces: OpenObject['pieces'], expected: string, onDamage: () => void): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== expected) onDamage();
}

async function* write(report: ObjectsReport, { key, size, pieces }: OpenObject): AsyncGenerator<Buffer> {
  const line: ObjectLine = { object: key, size };
  yield Buffer.from(`${JSON.stringify(line)}\n`);
  let written = 0;
  for await (const piece of pieces) {
    written += piece.length;
    yield piece;
  }
  if (written !== size) throw new BackupError(`The object ${key} changed while it was read. Try again.`);
  report.count++;
  report.bytes += size;
}
