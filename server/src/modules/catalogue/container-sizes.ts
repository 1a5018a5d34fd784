/** Which CPU goes with how much memory, as Cloud Run documents it, and the sizes offered by name. */
interface CpuOption {
  cpu: string;
  minMemory: Memory;
  maxMemory: Memory;
}

export const memories = ['128Mi', '256Mi', '512Mi', '1Gi', '2Gi', '4Gi', '8Gi', '16Gi', '24Gi', '32Gi'] as const;
export type Memory = (typeof memories)[number];

const cpuOptions: readonly CpuOption[] = [
  { cpu: '0.08', minMemory: '128Mi', maxMemory: '512Mi' },
  { cpu: '0.25', minMemory: '128Mi', maxMemory: '512Mi' },
  { cpu: '0.5', minMemory: '128Mi', maxMemory: '1Gi' },
  { cpu: '1', minMemory: '128Mi', maxMemory: '4Gi' },
  { cpu: '2', minMemory: '128Mi', maxMemory: '8Gi' },
  { cpu: '4', minMemory: '2Gi', maxMemory: '16Gi' },
  { cpu: '6', minMemory: '4Gi', maxMemory: '24Gi' },
  { cpu: '8', minMemory: '4Gi', maxMemory: '32Gi' },
];

export interface ContainerSize {
  id: string;
  cpu: string;
  memory: Memory;
  /** The most requests one instance may be given at a time. */
  maxConcurrency: number;
}

export const containerSizes: readonly ContainerSize[] = [
  { id: 'nano', cpu: '0.08', memory: '128Mi', maxConcurrency: 40 },
  { id: 'micro', cpu: '0.25', memory: '256Mi', maxConcurrency: 80 },
  { id: 'small', cpu: '0.5', memory: '512Mi', maxConcurrency: 160 },
  { id: 'medium', cpu: '1', memory: '1Gi', maxConcurrency: 250 },
  { id: 'large', cpu: '2', memory: '4Gi', maxConcurrency: 500 },
  { id: 'xlarge', cpu: '4', memory: '8Gi', maxConcurrency: 1000 },
  { id: '2xlarge', cpu: '8', memory: '16Gi', maxConcurrency: 1000 },
];

/** The bounds a caller may set; the plan may cap the upper one. */
export const scaling = { minInstances: [0, 5], maxInstances: [1, 100] } as const;

export function isMemory(text: string): text is Memory {
  return (memories as readonly string[]).includes(text);
}

export function compatibleCpus(memory: Memory): string[] {
  const size = memories.indexOf(memory);
  return cpuOptions
    .filter(({ minMemory, maxMemory }) => memories.indexOf(minMemory) <= size && size <= memories.indexOf(maxMemory))
    .map(({ cpu }) => cpu);
}
