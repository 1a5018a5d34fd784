import type { Config } from '../config.ts';
import type { RuntimeKind } from '../config/runtime-settings.ts';
import { findObstacle, openEngine } from './docker/engine.ts';

/**
 * As it was told. Otherwise `docker` only where everything is there for it: that an engine merely happens to be
 * installed changes nothing.
 */
export async function chooseRuntime({ runtime }: Pick<Config, 'runtime'>): Promise<RuntimeKind> {
  if (runtime.kind !== null) return runtime.kind;
  if (process.getuid?.() !== 0) return 'sandbox';
  const { dockerSocket } = runtime;
  return (await findObstacle(openEngine(dockerSocket), dockerSocket)) === null ? 'docker' : 'sandbox';
}
