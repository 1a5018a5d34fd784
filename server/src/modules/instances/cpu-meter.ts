interface Sample {
  atMs: number;
  cpuSeconds: number;
}

const WINDOW_MS = 6000;
/** Less than this says too little. */
const SHORTEST_MS = 2500;

/** How much of its processors each instance uses, over the last seconds. */
export class CpuMeter {
  readonly #samples = new Map<string, Sample[]>();

  note(instanceId: string, sample: Sample): void {
    const kept = (this.#samples.get(instanceId) ?? []).filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS);
    this.#samples.set(instanceId, [...kept, sample]);
  }

  /** Relative to what it may use; null while too little is known. */
  useOf(instanceId: string, cpus: number): number | null {
    const samples = this.#samples.get(instanceId);
    const [first, last] = [samples?.[0], samples?.at(-1)];
    if (!first || !last || last.atMs - first.atMs < SHORTEST_MS) return null;
    return (1000 * (last.cpuSeconds - first.cpuSeconds)) / (last.atMs - first.atMs) / cpus;
  }

  forget(instanceId: string): void {
    this.#samples.delete(instanceId);
  }
}
