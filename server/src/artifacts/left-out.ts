import { bytesToFindKey, holdsPrivateKey } from '@lilac/contract/source-files/secret-files';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Of repositories, of programs that log in somewhere, of the system and of whoever worked on it. Lower case. */
const NAMES = new Set(
  `.git .svn .hg .bzr _darcs .ds_store .git-credentials .gitconfig
  .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .dockercfg .boto
  .s3cfg .terraformrc .vault-token .gem .cargo .m2 .composer .databrickscfg
  .aws .azure .config .docker .gcloud .gnupg .kube .ssh .terraform .vscode .idea
  id_rsa id_dsa id_ecdsa id_ed25519`.split(/\s+/),
);
/** `.env` and its like, what web servers keep for themselves, histories of shells, what is said to be ignored. */
const PATTERN = /^\.(?:env|ht|dev\.vars)|^\.\w+_history$|^\.\w+ignore$/;
/** Keys and what programs that set machines up know of them, with their passwords: by how the name ends. */
const ENDING = /\.(?:p12|pfx|ppk|tfstate|tfstate\.backup)$/;

/**
 * Never meant for the public, wherever it lies: as a file or as a folder. Whoever copies a whole folder copies these
 * too.
 */
export function isLeftOut(name: string): boolean {
  const lower = name.toLowerCase();
  return NAMES.has(lower) || PATTERN.test(lower) || ENDING.test(lower);
}

/** Certificates and presentations are called so too, and are offered to everybody: what is in it counts. */
export function isPrivateKey(file: string): boolean {
  if (!/\.(?:pem|key)$/i.test(file)) return false;
  try {
    return holdsPrivateKey(file, readStart(file, bytesToFindKey(file, statSync(file).size)));
  } catch {
    // What cannot be read is complained about when it is packed.
    return false;
  }
}

function readStart(file: string, lengthBytes: number): string {
  const bytes = Buffer.alloc(lengthBytes);
  const handle = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, lengthBytes, 0));
  } finally {
    closeSync(handle);
  }
}
