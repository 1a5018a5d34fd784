import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { planLimits, plans } from '@lilac/contract/plans';
import { fitsOn, type Machine } from '../databases/tier.ts';
import { containerSizes } from './container-sizes.ts';
import { frameworks } from './frameworks.ts';

type Platform = OutputOf<Endpoints['config.platform']>;
type Tier = Omit<Platform['databaseTiers'][number], 'available'>;

/** The machine, or the swarm, that this installation runs on. */
export const regions: Platform['regions'] = [{ id: 'local', label: 'This installation', tier: 'standard' }];

/** Any `db-custom-<vCPU>-<memoryMB>` is a tier; those here are the usual ones. */
const databaseTiers: readonly Tier[] = [
  { id: 'db-f1-micro', label: 'Micro, shared', vcpu: 0.25, memoryMb: 614, dedicated: false },
  { id: 'db-g1-small', label: 'Small, shared', vcpu: 0.5, memoryMb: 1740, dedicated: false },
  customTier(1, 3840),
  customTier(2, 7680),
  customTier(4, 15_360),
  customTier(8, 30_720),
];

const limits: Platform['limits'] = {
  uploadMaxBytes: 100 * 1024 * 1024,
  logRetentionDays: 7,
  deploymentHistory: 20,
  rollbackWindow: 10,
};

export interface PlatformFacts {
  appsDomain: string;
  /** What keeps applications less apart than they should be. */
  lacking: readonly string[];
  /** Which has to have what a tier of a database asks for. */
  machine: Machine;
  databaseTypes: Platform['databaseTypes'];
  repositoryHosts: Platform['repositoryHosts'];
}

export function describePlatform({ lacking, machine, ...facts }: PlatformFacts): Platform {
  return {
    regions,
    containerSizes: containerSizes.map(({ id, cpu, memory, maxConcurrency }) => ({
      id,
      vcpu: Number(cpu),
      memory,
      maxConcurrency,
    })),
    frameworks: [...frameworks],
    databaseTiers: databaseTiers.map((tier) => ({ ...tier, available: fitsOn(machine, tier.id) })),
    plans: plans.map((id) => ({ id, ...planLimits[id] })),
    limits,
    ...facts,
    isolation: { lacking: [...lacking] },
  };
}

function customTier(vcpu: number, memoryMb: number): Tier {
  const label = `${vcpu} vCPU, ${memoryMb / 1024} GB, dedicated`;
  return { id: `db-custom-${vcpu}-${memoryMb}`, label, vcpu, memoryMb, dedicated: true };
}
