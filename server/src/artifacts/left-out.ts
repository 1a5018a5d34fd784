/** Of repositories, of programs that log in somewhere, of the system and of whoever worked on it. Lower case. */
const NAMES = new Set(
  `.git .svn .hg .bzr _darcs .ds_store .git-credentials .gitconfig
  .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .dockercfg .boto
  .s3cfg .terraformrc .vault-token .gem .cargo .m2 .composer .databrickscfg
  .aws .azure .config .docker .gcloud .gnupg .kube .ssh .terraform .vscode .idea
  id_rsa id_dsa id_ecdsa id_ed25519`.split(/\s+/),
);
/** `.env` and its like, what web servers keep for themselves, histories of shells. */
const PATTERN = /^\.(?:env|ht)|^\.\w+_history$/;

/** Never meant for the public, wherever it lies: as a file or as a folder. Whoever copies a whole folder copies these too. */
export function isLeftOut(name: string): boolean {
  const lower = name.toLowerCase();
  return NAMES.has(lower) || PATTERN.test(lower);
}
