import { invalid } from '../../lib/fault.ts';
import { compatibleCpus, isMemory, memories } from '../catalogue/container-sizes.ts';

/** Refuses what the catalogue does not have together. Without a CPU, one is chosen that goes with the memory. */
export function assertContainerSize({ memory, cpu }: { memory: string; cpu: string | null }): void {
  if (!isMemory(memory)) throw invalid(`memory must be one of ${memories.join(', ')}.`);
  const cpus = compatibleCpus(memory);
  if (cpu !== null && !cpus.includes(cpu))
    throw invalid(`With memory ${memory}, cpu must be one of ${cpus.join(', ')}.`);
}
