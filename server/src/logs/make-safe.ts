import { cutBytes, harmless } from '../lib/harmless-text.ts';

/** A message longer than this is cut: somebody has to read it, and a chunk must stay small. */
export const MAX_MESSAGE_BYTES = 16 * 1024;

/**
 * Makes one line of somebody's output into a message that can be stored and shown. Says how much was cut;
 * whoever read only the beginning of a line tells how many bytes are missing already.
 */
export function makeSafe(text: string, missingBytes = 0): string {
  const line = harmless(text.toWellFormed()).replaceAll(/[\r\n]/g, ' ');
  const kept = cutBytes(line, MAX_MESSAGE_BYTES);
  if (kept === line && missingBytes === 0) return line;
  const cut = missingBytes + Buffer.byteLength(line) - Buffer.byteLength(kept);
  return `${kept}… [${cut.toLocaleString('en')} bytes cut]`;
}
