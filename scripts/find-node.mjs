import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-program.mjs';

/** The server is TypeScript run directly, which needs this. */
const NODE_MAJOR = 24;

export function isNewEnough(version = process.versions.node) {
  return Number(version.split('.')[0]) >= NODE_MAJOR;
}

/** The Node that runs Lilac: the one npm brought, else this one if it is new enough. */
export function findNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const bundled = join(root, 'node_modules', name, 'bin', 'node');
  if (existsSync(bundled)) return bundled;
  if (isNewEnough()) return process.execPath;
  throw new SetUpError(
    `Lilac needs Node ${NODE_MAJOR} or newer; this is ${process.version}, and npm brought none (${name} is missing).`,
    `Run "npm ci --include=optional", or use Node ${NODE_MAJOR}.`,
  );
}

/** A problem that the person at the keyboard can mend. */
export class SetUpError extends Error {
  constructor(problem, advice) {
    super(`${problem}\n${advice}`);
  }
}
