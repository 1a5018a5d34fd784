/**
 * What a slug is: the tree that instances of a server run in, as one blob (a tar, compressed with zstd).
 * Lies where the manifests of static artifacts lie, so that it is kept, collected and backed up like those.
 */
export interface SlugManifest {
  version: 1;
  kind: 'slug';
  artifactId: string;
  /** SHA-256 of the compressed archive, in hex; it is at `blobKey(hash)`. */
  hash: string;
  compressedSize: number;
  /** Of the archive: about what the unpacked tree takes. */
  unpackedSize: number;
  fileCount: number;
}

/** Whether what lies at a manifest's key describes a slug. */
export function isSlugManifest(manifest: object): manifest is SlugManifest {
  return 'kind' in manifest && manifest.kind === 'slug';
}
