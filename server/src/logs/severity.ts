import type { Severity } from '@lilac/contract/states';
import { statedInJson } from './stated-in-json.ts';
import { statedInText } from './stated-in-text.ts';

export { parseSeverity } from './severity-names.ts';

export type OutputStream = 'stdout' | 'stderr';

/** Only the beginning of a line can state its severity. */
const HEAD_LENGTH = 256;
const ESCAPE = 0x1b;
// oxlint-disable-next-line no-control-regex -- this is what a colour is
const COLOURS = /\x1b\[[\d;:]*m/g;

/** What a line says of itself; null where it says nothing. */
export function statedSeverity(message: string): Severity | null {
  const first = firstCharacter(message);
  if (first === '{') {
    const stated = statedInJson(message);
    if (stated) return stated;
  }
  return statedInText(headOf(message));
}

/** The beginning of a line, without colours. */
export function headOf(message: string): string {
  const head = message.slice(0, HEAD_LENGTH);
  return head.includes('\x1b') ? head.replaceAll(COLOURS, '') : head;
}

/** What its stream makes likely of a line that says nothing of itself. */
export function usualSeverity(stream: OutputStream): Severity {
  return stream === 'stderr' ? 'WARN' : 'INFO';
}

function firstCharacter(message: string): string | undefined {
  if (message.charCodeAt(0) !== ESCAPE) return message[0];
  return headOf(message)[0];
}
