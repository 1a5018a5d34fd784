import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { RuntimeKind } from '../config/runtime-settings.ts';

/**
 * As it was told. Otherwise `docker` only where everything is there for it: that an engine merely happens to be
 * installed changes nothing.
 */
export async function chooseRuntime({ runtime }: Pick<Config, 'runtime'>): Promise<RuntimeKind> {
  if (runtime.kind !== null) return runtime.kind;
  if (process.getuid?.() !== 0) return 'sandbox';
  const { dockerSocket } = runtime;
  // What speaks with an engine takes memory; where there is none, nobody loads it.
  if (!existsSync(dockerSocket)) return 'sandbox';
  const { findObstacle, openEngine } = await import('./docker/engine.ts');
  return (await findObstacle(openEngine(dockerSocket), dockerSocket)) === null ? 'docker' : 'sandbox';
}
