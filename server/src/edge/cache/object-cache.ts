import { createHash } from 'node:crypto';
import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { blobKey, manifestKey, type StaticManifest } from '../../artifacts/static-manifest.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { StaticTarget } from '../../routing/route.ts';
import { fetchBlob, keepText, unlessStalled } from './fetch-blob.ts';
import { bytesOnDisk, shrinkFolder } from './shrink-folder.ts';

export interface ObjectCacheOptions {
  /** The folder of this machine; its edges share it. */
  root: string;
  objects: Pick<ObjectStore, 'read'>;
  maxBytes: number;
  /** Which of the edges of this machine this is, and how many there are. */
  place?: number;
  processes?: number;
  stallMs?: number;
}

const STALL_MS = 30_000;
const MAX_FETCHES = 32;
/** What could not be fetched is not tried again for each visitor. */
const FAILURE_LASTS_MS = 1000;
/** That a file was used is written down no more often. */
const NOTE_USE_EVERY_MS = 60_000;
const YOUNG_MS = 10_000;
const FOLDERS = ['blobs', 'manifests'];

/**
 * Objects of a store that is elsewhere, as files of this machine: fetched when they are first asked for, checked, and
 * kept while there is room. What is here is served, store or no store.
 */
export class ObjectCache {
  readonly #options: Required<ObjectCacheOptions>;
  readonly #incoming: string;
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #turns = createSemaphore(MAX_FETCHES);
  /** Bytes that came since somebody looked how many there are. */
  #grown = 0;
  /** Bytes that are on their way. */
  #arriving = 0;
  #shrinking: Promise<void> | null = null;

  constructor(options: ObjectCacheOptions) {
    this.#options = { place: 1, processes: 1, stallMs: STALL_MS, ...options };
    this.#incoming = join(options.root, 'incoming', String(this.#options.place));
  }

  /** Removes what an edge that was killed left half-done, and what there is too much of. */
  async start(): Promise<void> {
    await rm(this.#incoming, { recursive: true, force: true });
    void this.shrink();
  }

  /** Removes what was not used for the longest, as far as there is too much. */
  shrink(): Promise<void> {
    this.#shrinking ??= this.#shrinkNow();
    return this.#shrinking;
  }

  /** Fails when the store does not give it. */
  async openBlob(hash: string, size: number): Promise<FileHandle> {
    const path = this.#pathOf(blobKey(hash));
    const here = await openWhole(path, size);
    if (here) return here;
    await this.#bring(hash, size);
    const brought = await openWhole(path, size);
    if (!brought) throw new Error(`The blob ${hash} was removed as soon as it came.`);
    return brought;
  }

  /** The bytes of a small file, looked at again: a disk forgets too. */
  async readBlob(hash: string, size: number): Promise<Buffer> {
    const bytes = await this.#readOpened(hash, size);
    if (isContentOf(bytes, hash)) return bytes;
    await rm(this.#pathOf(blobKey(hash)), { force: true });
    return this.#readOpened(hash, size);
  }

  async readManifest({ artifactId, revision }: Pick<StaticTarget, 'artifactId' | 'revision'>): Promise<StaticManifest> {
    // It is written anew when compressed forms are added: its revision says which one is meant.
    const path = this.#pathOf(`manifests/${artifactId}.${revision}.json`);
    const known = await readFile(path, 'utf8').then(
      (text) => manifestIn(text, artifactId),
      () => null,
    );
    return known ?? this.#once(path, () => this.#fetchManifest(artifactId, path));
  }

  /** Resolves when the file is here. */
  async bringBlob(hash: string, size: number): Promise<void> {
    await (await this.openBlob(hash, size)).close();
  }

  async #readOpened(hash: string, size: number): Promise<Buffer> {
    await using file = await this.openBlob(hash, size);
    return await file.readFile();
  }

  #bring(hash: string, size: number): Promise<void> {
    const { objects, stallMs } = this.#options;
    const key = blobKey(hash);
    const path = this.#pathOf(key);
    return this.#once(path, () =>
      this.#withRoom(size, () =>
        fetchBlob({ source: objects.read(key), hash, size, path, incoming: this.#incoming, stallMs }),
      ),
    );
  }

  async #fetchManifest(artifactId: string, path: string): Promise<StaticManifest> {
    const { objects, stallMs } = this.#options;
    const source = objects.read(manifestKey(artifactId));
    const text = await unlessStalled(source, stallMs, (moving) => textOf(moving));
    const manifest = manifestIn(text, artifactId);
    if (!manifest) throw new Error(`What the object store has as the manifest of ${artifactId} is none, or not whole.`);
    await this.#withRoom(Buffer.byteLength(text), () => keepText(text, { path, incoming: this.#incoming }));
    return manifest;
  }

  /** Fetches a path once for all who want it. */
  #once<T>(path: string, fetch: () => Promise<T>): Promise<T> {
    const underWay = this.#underWay.get(path);
    if (underWay) return underWay as Promise<T>;
    const fetching = this.#turns.run(fetch);
    this.#underWay.set(path, fetching);
    fetching.then(
      () => this.#underWay.delete(path),
      () => setTimeout(() => this.#underWay.delete(path), FAILURE_LASTS_MS).unref(),
    );
    return fetching;
  }

  /** Every process counts what it fetches itself, and looks at what all have fetched long before it can be too much. */
  async #withRoom(size: number, fetch: () => Promise<void>): Promise<void> {
    const { maxBytes, processes } = this.#options;
    const bytes = bytesOnDisk(size);
    this.#grown += bytes;
    this.#arriving += bytes;
    try {
      if (this.#grown > maxBytes / 16 / processes) void this.shrink();
      await fetch();
    } finally {
      this.#arriving -= bytes;
    }
  }

  async #shrinkNow(): Promise<void> {
    const { root, maxBytes } = this.#options;
    const counted = this.#grown;
    const keepBytes = Math.max(0, (maxBytes * 7) / 8 - this.#arriving);
    try {
      await shrinkFolder({ root, folders: FOLDERS, keepBytes, youngMs: YOUNG_MS });
      this.#grown -= counted;
    } catch {
      // Tried again with what comes next.
    } finally {
      this.#shrinking = null;
    }
  }

  #pathOf(name: string): string {
    return join(this.#options.root, name);
  }
}

/** Null when it is not here. What is here but not whole is removed. */
async function openWhole(path: string, size: number): Promise<FileHandle | null> {
  const file = await open(path).catch(() => null);
  if (!file) return null;
  try {
    const found = await file.stat();
    if (found.size === size) {
      const now = Date.now();
      if (now - found.mtimeMs > NOTE_USE_EVERY_MS) await file.utimes(now / 1000, now / 1000);
      return file;
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  await rm(path, { force: true });
  return null;
}

function isContentOf(bytes: Buffer, hash: string): boolean {
  return createHash('sha256').update(bytes).digest('hex') === hash;
}

/** Null when it is none of this artifact. */
function manifestIn(text: string, artifactId: string): StaticManifest | null {
  try {
    const manifest = JSON.parse(text) as StaticManifest;
    return manifest.artifactId === artifactId ? manifest : null;
  } catch {
    return null;
  }
}
