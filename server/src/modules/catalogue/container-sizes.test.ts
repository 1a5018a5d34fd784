import { describe, expect, it } from 'vitest';
import { compatibleCpus, containerSizes, memories } from './container-sizes.ts';

const mebibytes = (memory: string) => Number.parseInt(memory, 10) * (memory.endsWith('Gi') ? 1024 : 1);

describe('the table of memory and CPU', () => {
  it('names memories from small to large', () => {
    const sizes = memories.map(mebibytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(new Set(sizes).size).toBe(sizes.length);
  });

  it.each([
    ['128Mi', ['0.08', '0.25', '0.5', '1', '2']],
    ['512Mi', ['0.08', '0.25', '0.5', '1', '2']],
    ['1Gi', ['0.5', '1', '2']],
    ['2Gi', ['1', '2', '4']],
    ['4Gi', ['1', '2', '4', '6', '8']],
    ['8Gi', ['2', '4', '6', '8']],
    ['16Gi', ['4', '6', '8']],
    ['24Gi', ['6', '8']],
    ['32Gi', ['8']],
  ] as const)('%s goes with %o', (memory, cpus) => {
    expect(compatibleCpus(memory)).toEqual(cpus);
  });

  it('leaves no memory without a CPU', () => {
    for (const memory of memories) expect(compatibleCpus(memory).length).toBeGreaterThan(0);
  });

  it('never takes a CPU away and gives it back as memory grows', () => {
    const cpus = new Set(memories.flatMap(compatibleCpus));
    for (const cpu of cpus) {
      const offered = memories.map((memory) => (compatibleCpus(memory).includes(cpu) ? '1' : '0')).join('');
      expect(offered).toMatch(/^0*1+0*$/);
    }
  });
});

describe('the named sizes', () => {
  it('are combinations that the table allows, each larger than the one before', () => {
    for (const { memory, cpu } of containerSizes) expect(compatibleCpus(memory)).toContain(cpu);
    for (const [index, size] of containerSizes.slice(1).entries()) {
      const smaller = containerSizes[index]!;
      expect(Number(size.cpu)).toBeGreaterThan(Number(smaller.cpu));
      expect(mebibytes(size.memory)).toBeGreaterThan(mebibytes(smaller.memory));
      expect(size.maxConcurrency).toBeGreaterThanOrEqual(smaller.maxConcurrency);
    }
    expect(new Set(containerSizes.map((size) => size.id)).size).toBe(containerSizes.length);
  });
});
