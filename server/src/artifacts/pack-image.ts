import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describeBytes } from '../lib/describe-files.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import { compressBytesTo } from './compress-slug.ts';
import { PackRefused } from './pack-refused.ts';
import { storeSlug, type PackedSlug, type SlugRequest } from './pack-slug.ts';

export interface ImageRequest extends Omit<SlugRequest, 'archive' | 'fileCount'> {
  /** The image as its engine saves it. */
  archive: Readable;
  layerCount: number;
}

const MAX_IMAGE_BYTES = 8 * 1024 ** 3;

/** Turns an image that an engine has built into an artifact of one blob, as a slug is. Throws `PackRefused`. */
export async function packImage(deps: ArtifactsDeps, request: ImageRequest): Promise<PackedSlug> {
  const { archive, staging, signal, maxBytes = MAX_IMAGE_BYTES } = request;
  const file = join(staging, `${request.artifactId}.tar.zst`);
  try {
    const compressed = await compressBytesTo({ bytes: archive, to: file, maxBytes, signal, tooLarge });
    const packed = await storeSlug(deps, {
      ...request,
      kind: 'image',
      fileCount: request.layerCount,
      file,
      compressed,
    });
    const { unpackedSize, compressedSize } = compressed;
    request.onLine(`Packed the image: ${describeBytes(unpackedSize)}, ${describeBytes(compressedSize)} compressed`);
    return packed;
  } finally {
    await rm(file, { force: true });
  }
}

function tooLarge(maxBytes: number): PackRefused {
  return new PackRefused(
    `The image is larger than ${Math.round(maxBytes / 1024 ** 3)} GiB. Build on a smaller image, or copy only what ` +
      'it needs into a last stage of its own.',
  );
}
