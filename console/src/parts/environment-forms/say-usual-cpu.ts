import { sayMemory } from '../../lib/say-memory.ts';

interface Known {
  memory: string;
  /** Those that the platform offers by name. */
  sizes: readonly { memory: string; cpu: string }[];
  /** What goes with the memory, the least first; empty while that is not known. */
  cpus: readonly string[];
}

/**
 * What whoever chooses none gets, by the platform's own rule: that of the size with so much memory, or else the least.
 */
export function sayUsualCpu({ memory, sizes, cpus }: Known): string {
  const usual = sizes.find((size) => size.memory === memory)?.cpu ?? cpus[0];
  const said = `usual for ${sayMemory(memory)}`;
  return usual === undefined ? said : `${usual} (${said})`;
}
