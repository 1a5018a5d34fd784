import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * Runs a program to its end without holding this process up: PostgreSQL and the object store are reached through it.
 */
export async function run(argv, options = {}) {
  const [program, ...words] = argv;
  const { stdout } = await promisify(execFile)(program, words, { maxBuffer: 2 ** 26, ...options });
  return stdout.trim();
}

/** Docker's own client, at the engine of one machine. */
export const docker = (node, argv, { env = {}, ...options } = {}) =>
  run(['docker', ...argv], { env: { ...process.env, DOCKER_HOST: `unix://${node.socketPath}`, ...env }, ...options });

/** Of the process in which a machine was started, the first process of that machine: its engine. */
export const firstChild = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
