import type { Config } from '../config.ts';
import type { LeadName } from '../jobs/leadership.ts';
import { createLeaderships, type Fitness, type Leaderships } from '../jobs/leaderships.ts';
import type { Reach } from '../jobs/may-lead.ts';
import type { WorkerDeps } from './worker.ts';

/**
 * Servers of databases are processes and volumes of one host, and so are instances but for those of a swarm, which
 * all hosts share: no other host may lead them. With a store of its own a host has nobody to leave them to.
 */
export function reachOf(
  { databaseUrl, leads }: Pick<Config, 'databaseUrl' | 'leads'>,
  runtime: 'sandbox' | 'docker' | 'swarm',
): Record<LeadName, Reach> {
  if (databaseUrl === null) return { databases: 'sole', instances: 'sole' };
  return {
    databases: leads.includes('databases') ? 'bound' : 'none',
    instances: leads.includes('instances') ? (runtime === 'swarm' ? 'free' : 'bound') : 'none',
  };
}

export function openLeaderships(
  deps: WorkerDeps,
  { reach, fitness }: { reach: Record<LeadName, Reach>; fitness: () => Fitness },
): Leaderships {
  const { host, log, clock, onLead, onLeadLost } = deps;
  return createLeaderships({
    worker: host,
    host,
    log,
    clock,
    reach,
    fitness: (name) => (name === 'instances' ? fitness() : 'fit'),
    onGain: onLead,
    onLoss: onLeadLost,
  });
}
