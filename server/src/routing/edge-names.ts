import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import { hostIdOf } from '../store/host-id.ts';

/** The name of an edge, and what the names of all edges of its host begin with. */
export const edgeNameOf = (config: Pick<Config, 'home'>, place: number): string => `${edgeNamesOf(config)}${place}`;
export const edgeNamesOf = (config: Pick<Config, 'home'>): string => `${runningHostOf(config)} `;

/**
 * What the names of former edges of this host may begin with: before its machine was started again, and before it had
 * an id.
 */
export const formerEdgeNamesOf = (config: Pick<Config, 'home'>): string[] => [
  `${hostIdOf(config)}@`,
  `${hostname()} ${config.home} `,
];

/** The name of the api of this host. */
export const apiNameOf = (config: Pick<Config, 'home'>): string => runningHostOf(config);

/** Which of its processes tells of this host. */
export const machineNameOf = (config: Pick<Config, 'home'>, role: string): string => `${runningHostOf(config)} ${role}`;

/** Whose api it is, by its name. */
export const hostOfApi = (name: string): string => name.split('@')[0]!;

/**
 * This host since its machine was started: a machine that was copied with its LILAC_HOME has the same id, and answers
 * for itself all the same. The successor of a killed process has its name, so that nobody waits for the dead one.
 */
function runningHostOf(config: Pick<Config, 'home'>): string {
  return `${hostIdOf(config)}@${bootOf()}`;
}

function bootOf(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id');
  return createHash('sha256').update(boot).digest('hex').slice(0, 8);
}
