/**
 * What a static artifact is: which file answers at which path, and by which rules. Written once by the
 * packer as JSON to `manifests/<artifact id>.json` in the object store, read by every edge. A file's
 * bytes are at `blobs/<first two digits>/<hash>`, so the same file in a hundred deployments lies there once.
 */
export interface StaticManifest {
  version: 1;
  artifactId: string;
  /** By path with a leading slash, as it lies in the output folder: `/index.html`, `/assets/app-3f9c.js`. */
  files: Record<string, StaticFile>;
  /** Every path that no file answers gets `/index.html` with 200. */
  isSinglePage: boolean;
  redirects: RedirectRule[];
  headers: HeaderRule[];
}

export interface StaticFile {
  /** SHA-256 of the bytes, in hex. The strong validator is made of it. */
  hash: string;
  size: number;
  /** With the charset where it is text. */
  type: string;
  /** Its name carries a hash of its content, so it may be kept for ever. */
  isImmutable: boolean;
  /** Compressed forms that are there already and are smaller, by content coding. */
  variants: Partial<Record<ContentCoding, { hash: string; size: number }>>;
}

export type ContentCoding = 'br' | 'gzip';

/** A line of `_redirects`: the first that matches wins. */
export interface RedirectRule {
  /** Literal segments, `:name` for one segment, a final `*` (called `:splat`) for the rest. */
  from: string;
  /** A path or an absolute address; may name `:splat` and the others. */
  to: string;
  /** 200 is a rewrite: the other file is served at this address. */
  status: 200 | 301 | 302 | 303 | 307 | 308 | 404;
  /** `!`: applies even where a file answers. */
  isForced: boolean;
}

/** A block of `_headers`. All that match apply, in their order. */
export interface HeaderRule {
  path: string;
  headers: [name: string, value: string][];
}

export const manifestKey = (artifactId: string): string => `manifests/${artifactId}.json`;
export const blobKey = (hash: string): string => `blobs/${hash.slice(0, 2)}/${hash}`;
