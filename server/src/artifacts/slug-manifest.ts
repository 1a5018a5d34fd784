/**
 * What a slug is: what instances of a server are made of, as one blob (a tar, compressed with zstd). It is the tree
 * that they run in, or an image that an engine built of a Dockerfile. Lies where the manifests of static artifacts lie,
 * so that it is kept, collected and backed up like those.
 */
export interface SlugManifest {
  version: 1;
  kind: 'slug' | 'image';
  artifactId: string;
  /** SHA-256 of the compressed archive, in hex; it is at `blobKey(hash)`. */
  hash: string;
  compressedSize: number;
  /** Of the archive: about what the unpacked tree takes. */
  unpackedSize: number;
  /** Of an image, how many layers it has. */
  fileCount: number;
}

/** Whether what lies at a manifest's key describes a slug. */
export function isSlugManifest(manifest: object): manifest is SlugManifest {
  return 'kind' in manifest && (manifest.kind === 'slug' || manifest.kind === 'image');
}
