import type { Config } from '../config.ts';
import type { LeadName } from '../jobs/leadership.ts';
import { createLeaderships, type Leaderships } from '../jobs/leaderships.ts';
import type { Reach } from '../jobs/may-lead.ts';
import type { WorkerDeps } from '../wire.ts';

/**
 * Servers of databases are processes and volumes of one host, and so are instances but for those of a swarm, which
 * all hosts share: no other host may lead them.
 */
export function reachOf(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  runtime: 'sandbox' | 'docker' | 'swarm',
): Record<LeadName, Reach> {
  if (databaseUrl === null) return { databases: 'sole', instances: 'sole' };
  return { databases: 'bound', instances: runtime === 'swarm' ? 'free' : 'bound' };
}

export function openLeaderships(deps: WorkerDeps, reach: Record<LeadName, Reach>): Leaderships {
  const { host, log, onLead, onLeadLost } = deps;
  return createLeaderships({ worker: host, host, log, reach, onGain: onLead, onLoss: onLeadLost });
}
