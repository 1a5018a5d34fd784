#!/usr/bin/env node
/**
 * Makes the key file of a new platform, for a secret of a stack: `node deploy/swarm/make-keyring.mjs <file>`. Whoever
 * reads it can open every secret in the store, and without it nobody can. One that is there is left as it is.
 */
import { readOrCreateKeys } from '../../server/src/secrets/stored-keys.ts';

const [file] = process.argv.slice(2);
if (!file) {
  console.error('Say where: node deploy/swarm/make-keyring.mjs <file>');
  process.exit(1);
}
readOrCreateKeys(file);
console.log(file);
