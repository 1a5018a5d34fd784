import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg)$/;

/** Writes `.br` and `.gz` beside every text file, so that the server compresses nothing while it serves. */
export function compressedCopies(): Plugin {
  return {
    name: 'lilac:compressed-copies',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After Vite has written into the chunks what they load besides: a copy of before could not be run.
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!COMPRESSIBLE.test(fileName)) continue;
          const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotli(content) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content, { level: 9 }) });
        }
      },
    },
  };
}

function brotli(content: Buffer): Buffer {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
}
