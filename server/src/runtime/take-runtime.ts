import { pathsOf, type Config } from '../config.ts';
import type { RuntimeKind } from '../config/runtime-settings.ts';
import { identify, isAlive } from '../lib/process-identity.ts';
import { chooseRuntime } from './choose-runtime.ts';
import { listLeftovers, listNames } from './held/instance-record.ts';
import { keepRuntime, readKeptRuntime, readRuntimeName } from './isolation-file.ts';

type RuntimeConfig = Pick<Config, 'home' | 'runtime'>;

/**
 * What a worker runs instances in, from its start on: as it was told, or else what the worker before it had, or else
 * what is chosen. The next worker finds what it was.
 */
export async function takeRuntime(config: RuntimeConfig): Promise<RuntimeKind> {
  const kind = config.runtime.kind ?? (await keepOrChoose(config));
  keepRuntime(config, { kind, supervisor: identify(process.ppid) });
  return kind;
}

/** For those who only tell of it: what the worker has; where there was none yet, what one would take. */
export async function runtimeInUse(config: RuntimeConfig): Promise<RuntimeKind> {
  return config.runtime.kind ?? readRuntimeName(config) ?? (await chooseRuntime(config, null));
}

async function keepOrChoose(config: RuntimeConfig): Promise<RuntimeKind> {
  const kept = readKeptRuntime(config);
  if (!kept) return chooseRuntime(config, null);
  const isSameRun = kept.supervisor !== null && isAlive(kept.supervisor);
  const hasInstances = mayHaveInstances(pathsOf(config).instances);
  return mustStay(kept.kind, { isSameRun, hasInstances }) ? kept.kind : chooseRuntime(config, kept.kind);
}

/**
 * Another runtime would take what is left for its own, and put rules for its own bridges in the place of those that
 * hold it. So it changes only when the last instance is gone, and while nobody counts on it: when the whole platform
 * is started. Of a swarm nothing is on this machine, and nobody has one who was not told to.
 */
export function mustStay(
  kept: RuntimeKind,
  { isSameRun, hasInstances }: { isSameRun: boolean; hasInstances: boolean },
): boolean {
  return kept !== 'swarm' && (isSameRun || hasInstances);
}

/** Also those that somebody was starting or removing who was killed: they may run. */
const mayHaveInstances = (root: string): boolean => listNames(root).length > 0 || listLeftovers(root).length > 0;
