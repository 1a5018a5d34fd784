import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { blobKey } from '../../artifacts/static-manifest.ts';
import type { ObjectCache } from '../cache/object-cache.ts';
import { SecondChanceCache } from '../second-chance-cache.ts';
import type { StaticAnswer } from './static-answer.ts';

/** Files up to this size are answered from memory. */
export const SMALL_BLOB_BYTES = 128 * 1024;
/** What they may take in memory together. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** What an entry takes besides its bytes. */
const ENTRY_BYTES = 512;

/** A small file in memory. */
export interface CachedBlob {
  bytes: Buffer;
  /** The last answer that was written with it, head and body in one piece: the next is likely the same. */
  ready: { answer: StaticAnswer; tail: string; bytes: Buffer } | null;
}

export interface BlobLibraryOptions {
  /** The folder that holds the objects. */
  root: string;
  /** Where the objects are elsewhere: what brings them here. */
  cache?: ObjectCache | undefined;
}

/** Files by the hash of their content. Small ones that were asked for lately are in memory. */
export class BlobLibrary {
  readonly #root: string;
  readonly #files: ObjectCache | undefined;
  readonly #cache: SecondChanceCache<CachedBlob>;
  readonly #loading = new Map<string, Promise<CachedBlob>>();

  constructor({ root, cache }: BlobLibraryOptions) {
    this.#root = root;
    this.#files = cache;
    this.#cache = new SecondChanceCache(CACHE_BYTES);
  }

  /** A small file, if it is in memory. */
  peek(hash: string): CachedBlob | undefined {
    return this.#cache.get(hash);
  }

  /** A small file. Fails when it is not there, or not of the size it should have. */
  load(hash: string, size: number): Promise<CachedBlob> {
    const underWay = this.#loading.get(hash);
    if (underWay) return underWay;
    const loading = this.#read(hash, size).finally(() => this.#loading.delete(hash));
    this.#loading.set(hash, loading);
    return loading;
  }

  /** A large file; whoever opens it closes it. */
  open(hash: string, size: number): Promise<FileHandle> {
    return this.#files ? this.#files.openBlob(hash, size) : open(this.#pathOf(hash));
  }

  get cachedBytes(): number {
    return this.#cache.weight;
  }

  async #read(hash: string, size: number): Promise<CachedBlob> {
    const bytes = await (this.#files ? this.#files.readBlob(hash, size) : readFile(this.#pathOf(hash)));
    // The head says how long it is: another length would put the connection out of step.
    if (bytes.length !== size) throw new Error(`The blob ${hash} has ${bytes.length} bytes instead of ${size}.`);
    const blob: CachedBlob = { bytes, ready: null };
    this.#cache.set(hash, blob, 2 * size + ENTRY_BYTES);
    return blob;
  }

  #pathOf(hash: string): string {
    return join(this.#root, blobKey(hash));
  }
}
