import type { BuiltRun } from '../../build/builder.ts';
import type { RunSpec } from '../../db/run-spec.ts';
import { compatibleCpus, containerSizes, isMemory } from '../catalogue/container-sizes.ts';
import type { HeldEnvironment } from './deployment-store.ts';

/** What the build found, and the settings as they were: the environment's own, otherwise the application's. */
export function runSpecOf(run: BuiltRun, { environment, application }: HeldEnvironment): RunSpec {
  const memory = environment.memory ?? application.memory;
  const cpu = environment.cpu ?? application.cpu;
  const { concurrency, cpu_target: cpuTarget } = application;
  return { ...run, memoryMb: memoryMbOf(memory), cpus: Number(cpu ?? defaultCpu(memory)), concurrency, cpuTarget };
}

/** `512Mi`, `2Gi`. */
export function memoryMbOf(memory: string): number {
  const match = /^(\d+)(Mi|Gi)$/.exec(memory);
  if (!match) throw new Error(`Not an amount of memory: ${memory}`);
  return Number(match[1]) * (match[2] === 'Gi' ? 1024 : 1);
}

/** That of the size that is offered by name; where there is none, the least that goes with the memory. */
function defaultCpu(memory: string): string {
  const named = containerSizes.find((size) => size.memory === memory)?.cpu;
  return named ?? (isMemory(memory) ? compatibleCpus(memory)[0] : undefined) ?? '1';
}
