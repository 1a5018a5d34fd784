import { Refused } from './confirm.ts';

const BEFORE = String.raw`(?:\s|/\*.*?\*/|(?:--|#)[^\n]*\n)`;
const SHOWS_HASH = new RegExp(String.raw`^${BEFORE}*show${BEFORE}+(?:create${BEFORE}+user|grants)\b`, 'is');
const HASH = /(\bidentified\s+(?:by|via|with)\b[^']*)'[^']*'/gi;

/** MySQL shows the hash of the password with these, and a password can be guessed from it. */
export function assertNoHash(statement: string): void {
  if (SHOWS_HASH.test(statement)) {
    throw new Refused('This statement would show the hash of a password, which this tool does not do.');
  }
}

/** However the statement was written that asked for it. */
export function hideHashes(text: string): string {
  return text.replaceAll(HASH, "$1'(hidden)'");
}
