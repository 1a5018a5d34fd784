import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ContentCoding } from './static-manifest.ts';

export interface CompressionTask {
  bytes: Uint8Array<ArrayBuffer>;
  codings: readonly ContentCoding[];
  isText: boolean;
}

export interface CompressedForm {
  coding: ContentCoding;
  /** Null: it is hardly smaller, and would only cost. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

/** Of what a form must at least be smaller. */
const WORTHWHILE = 0.95;
const MIB = 1024 * 1024;

export function compressBytes({ bytes, codings, isText }: CompressionTask): CompressedForm[] {
  return codings.map((coding) => {
    const compressed = coding === 'br' ? brotli(bytes, isText) : gzipSync(bytes, { level: 9 });
    // A buffer of its own, so that it can be handed over.
    return { coding, bytes: compressed.length <= bytes.length * WORTHWHILE ? new Uint8Array(compressed) : null };
  });
}

function brotli(bytes: Uint8Array, isText: boolean): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: isText ? constants.BROTLI_MODE_TEXT : constants.BROTLI_MODE_GENERIC,
      [constants.BROTLI_PARAM_QUALITY]: qualityFor(bytes.length),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** The best takes about a second for each mebibyte; beyond some it is not worth the wait. */
function qualityFor(size: number): number {
  if (size <= 2 * MIB) return 11;
  return size <= 16 * MIB ? 9 : 5;
}
