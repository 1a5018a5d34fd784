import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { RuntimeKind } from '../config/runtime-settings.ts';

/**
 * What to run instances in where none is left: `docker` only where everything is there for it, since that an engine
 * merely happens to be installed changes nothing. An engine that is silent says nothing of what it has: it may only be
 * slower than we are, after the machine was started. Then who had `docker` before has it again.
 */
export async function chooseRuntime(
  { runtime: { dockerSocket } }: Pick<Config, 'runtime'>,
  last: RuntimeKind | null,
): Promise<RuntimeKind> {
  if (process.getuid?.() !== 0) return 'sandbox';
  const state = await lookAtSocket(dockerSocket);
  return state === 'ready' || (state === 'silent' && last === 'docker') ? 'docker' : 'sandbox';
}

async function lookAtSocket(socketPath: string): Promise<'ready' | 'lacking' | 'silent'> {
  // What speaks with an engine takes memory; where there is none, nobody loads it.
  if (!existsSync(socketPath)) return 'silent';
  const { openEngine, stateOfEngine } = await import('./docker/engine.ts');
  return stateOfEngine(openEngine(socketPath));
}
