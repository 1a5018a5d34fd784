import { codewordsOf } from './codewords.ts';
import { chooseMask } from './mask.ts';
import { drawFunctionPatterns, drawVersion, placeCodewords } from './patterns.ts';
import { versionFor } from './version.ts';

/** A QR code (ISO/IEC 18004), level M, of a text as UTF-8: true is dark. Null when the text is too long for one. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  if (version === null) return null;
  const size = 17 + 4 * version;
  const modules = square(size);
  const isFunction = square(size);
  drawFunctionPatterns({ modules, isFunction, version });
  drawVersion({ modules, isFunction, version });
  placeCodewords({ modules, isFunction }, codewordsOf(bytes, version));
  return chooseMask({ modules, isFunction });
}

function square(size: number): boolean[][] {
  return Array.from({ length: size }, () => Array<boolean>(size).fill(false));
}
