import { availableParallelism, totalmem } from 'node:os';
import { invalid } from '../../lib/fault.ts';
import { readTier } from './database.ts';

export interface Machine {
  cpus: number;
  memoryMb: number;
}

export const thisMachine = (): Machine => ({
  cpus: availableParallelism(),
  memoryMb: Math.floor(totalmem() / 2 ** 20),
});

const MAX_CPUS = 96;
const MIN_MEMORY_MB = 1024;
const MEMORY_STEP_MB = 256;

const isDedicated = (tier: string): boolean => tier.startsWith('db-custom-');

/** A shared tier takes what there is; what a dedicated one asks for, the machine must have. */
export function fitsOn(machine: Machine, tier: string): boolean {
  const size = readTier(tier);
  return !size || !isDedicated(tier) || (size.cpus <= machine.cpus && size.memoryMb <= machine.memoryMb);
}

export function assertTier(tier: string, machine: Machine): void {
  const size = readTier(tier);
  // First what nothing can be done about: whoever mends the rest meets it all the same.
  if (size && !fitsOn(machine, tier)) {
    throw invalid(
      `This machine has ${machine.cpus} vCPU and ${machine.memoryMb} MB of memory, and a tier of ${size.cpus} vCPU and ${size.memoryMb} MB is more than that. Choose a smaller one.`,
    );
  }
  if (!size || size.cpus > MAX_CPUS) {
    throw invalid(`"${tier}" is not a tier. A dedicated tier has 1 to ${MAX_CPUS} vCPU, such as db-custom-2-4096.`);
  }
  if (!isDedicated(tier)) return;
  const { memoryMb } = size;
  if (memoryMb < MIN_MEMORY_MB || memoryMb % MEMORY_STEP_MB !== 0) {
    throw invalid(
      `tier "${tier}" must have ${MIN_MEMORY_MB} MB of memory or more, in steps of ${MEMORY_STEP_MB} MB, such as db-custom-2-4096.`,
    );
  }
}
