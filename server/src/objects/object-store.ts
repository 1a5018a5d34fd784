import type { Readable } from 'node:stream';

/**
 * Where bytes lie that are too large for the store: uploads, artifacts, dumps.
 *
 * A key is a relative path of `[A-Za-z0-9._-]` parts, such as `uploads/org_1/upl_2.zip`; any other is
 * refused. An object is seen whole or not at all: a writer that is killed half-way leaves nothing
 * under the key. Writing a key again replaces the object.
 */
export interface ObjectStore {
  /** Resolves when the object will survive a crash. Rejects, and leaves nothing, when the source fails. */
  put(key: string, source: Readable | Buffer): Promise<{ size: number }>;
  /**
   * Takes many files of this machine at once; resolves when all will survive a crash. The files may be
   * moved away from where they are. A key that is there already keeps its object: such keys name content.
   */
  putFiles(files: readonly { key: string; path: string }[]): Promise<void>;
  /** Null when there is none. */
  stat(key: string): Promise<{ size: number } | null>;
  /** The bytes from `start` up to, not including, `end`; all of them when left out. Fails with `ObjectMissing`. */
  read(key: string, range?: { start: number; end: number }): Readable;
  /** Harmless when there is none. */
  remove(key: string): Promise<void>;
  /** Every key that begins so, in no particular order. */
  list(prefix: string): AsyncIterable<string>;
  /**
   * An address that takes a PUT of this object, by somebody without a credential. Once the platform has looked at what
   * came (`stat`, `read`), no PUT exchanges it: what was looked at is what will be used. Until then a store may refuse
   * a second PUT, or take it in place of the first. After `remove`, the address takes another.
   */
  presignPut(key: string, terms: PutTerms): Promise<string>;
  /** An address that gives the object to whoever has it, until it expires; nothing once the object is removed. */
  presignGet(key: string, terms: GetTerms): Promise<string>;
  /** Removes what writers left half-done that were killed, and what came when nobody waited for it any more. */
  sweep(): Promise<void>;
  /** An address for so many bytes takes them until it expires, whatever became of the object's reservation. */
  readonly areAddressesFinal: boolean;
}

/** What the object server needs besides, for those addresses that are the platform's own. */
export interface ReceivingStore extends ObjectStore {
  /** As `put`, but fails with `ObjectExists` where there is an object; and what the platform has looked at stays. */
  putNew(key: string, source: Readable): Promise<{ size: number }>;
  /** Rejects with a fault when there is no room for so many bytes more. */
  assertRoom(bytes: number): Promise<void>;
}

/** What the address is good for; the signature covers all of it. */
export interface PutTerms {
  contentType: string;
  /** The most bytes it may have; exactly as many where the sender announced them. */
  size: { max: number } | { exact: number };
  expiresAt: Date;
}

export interface GetTerms {
  contentType: string;
  /** What a browser saves it as. */
  fileName: string;
  expiresAt: Date;
}

/**
 * Of a signed address. `open`: an object is waited for. `taken`: it came, and is somebody's. `gone`: nobody wants it
 * ever.
 */
export type Standing = 'open' | 'taken' | 'gone';

export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`There is no object at ${key}.`);
  }
}

/** Somebody has put an object there before. */
export class ObjectExists extends Error {}
