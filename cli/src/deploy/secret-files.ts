import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { Entry } from './ignore-rules.ts';

const SECRET_FOLDERS = new Set(['.ssh', '.aws']);
const SECRET_FILES = new Set([
  '.dev.vars',
  '.envrc',
  '.git-credentials',
  '.netrc',
  '.pgpass',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'id_rsa',
]);
const SECRET_KINDS = /\.(?:key|p12|pfx|ppk|tfstate|tfstate\.backup)$/;
const CLUSTER = /(?:^|\/)\.kube\/config$/;
const SHOWS_WHAT_TO_FILL_IN = /\.(?:example|sample|template|dist)$|^\.?(?:example|sample|template|dist)\.env$/;

/** `.env` and its kin, what "lilac env pull" writes, and keys of the person: a site would serve them to everybody. */
export function holdsSecrets({ path, isFolder }: Entry): boolean {
  const name = basename(path).toLowerCase();
  if (isFolder) return SECRET_FOLDERS.has(name);
  return SECRET_FILES.has(name) || SECRET_KINDS.test(name) || CLUSTER.test(path) || holdsVariables(path);
}

/** Those that show what to fill in hold none. */
export function holdsVariables(path: string): boolean {
  const name = basename(path).toLowerCase();
  return /^\.env(?:$|[.~])|\.env~?$/.test(name) && !SHOWS_WHAT_TO_FILL_IN.test(name);
}

/** Longer ones are no keys, and shorter ones hold none. */
const KEY_BYTES = { least: 50, most: 64 * 1024 };
const HEAD_BYTES = 128;
const BEGINS_KEY = /^(?:\uFEFF)?\s*-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY/;
const HAS_KEY = /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY/m;

/** Whatever it is called. Before the key a `.pem` may hold certificates; elsewhere only the first bytes are read. */
export function holdsPrivateKey(file: string, sizeBytes: number): boolean {
  if (sizeBytes < KEY_BYTES.least || sizeBytes > KEY_BYTES.most) return false;
  const isPem = /\.pem$/i.test(file);
  const text = readStart(file, isPem ? sizeBytes : HEAD_BYTES);
  return (isPem ? HAS_KEY : BEGINS_KEY).test(text);
}

/** What cannot be read is complained about when it is packed. */
function readStart(file: string, lengthBytes: number): string {
  const bytes = Buffer.alloc(lengthBytes);
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, lengthBytes, 0));
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
