import type { SourceEntry } from './ignore-rules.ts';

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
export function holdsSecrets({ path, isFolder }: SourceEntry): boolean {
  const name = nameOf(path).toLowerCase();
  if (isFolder) return SECRET_FOLDERS.has(name);
  return SECRET_FILES.has(name) || SECRET_KINDS.test(name) || CLUSTER.test(path) || holdsVariables(path);
}

/** Those that show what to fill in hold none. */
export function holdsVariables(path: string): boolean {
  const name = nameOf(path).toLowerCase();
  return /^\.env(?:$|[.~])|\.env~?$/.test(name) && !SHOWS_WHAT_TO_FILL_IN.test(name);
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Longer ones are no keys, and shorter ones hold none. */
const KEY_BYTES = { least: 50, most: 64 * 1024 };
const HEAD_BYTES = 128;
const BEGINS_KEY = /^(?:\uFEFF)?\s*-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY/;
const HAS_KEY = /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY/m;

/** In these a key may come after certificates, or after what a program says of it. */
const isPem = (path: string): boolean => /\.(?:pem|key)$/i.test(path);

/**
 * How much of a file has to be read to know whether it is a private key: nothing where its size says that it is none.
 */
export function bytesToFindKey(path: string, sizeBytes: number): number {
  if (sizeBytes < KEY_BYTES.least || sizeBytes > KEY_BYTES.most) return 0;
  return isPem(path) ? sizeBytes : Math.min(sizeBytes, HEAD_BYTES);
}

/** Whatever it is called, by what was read of it. */
export function holdsPrivateKey(path: string, start: string): boolean {
  return (isPem(path) ? HAS_KEY : BEGINS_KEY).test(start);
}
