import { join } from 'node:path';
import { runningInstances } from '../e2e/platform.ts';
import { isAlive } from '../server/src/lib/process-identity.ts';
import { findInstance, type FoundInstance } from '../server/src/runtime/held/find-instance.ts';
import type { Scene, Subject } from './scene.ts';

/** Those of an application that run. */
export function instancesOf({ handle }: Pick<Scene, 'handle'>, { environmentId }: Subject): FoundInstance[] {
  return runningInstances(handle)
    .flatMap((name) => findInstance(join(handle.home, 'instances', name)) ?? [])
    .filter(({ record, process }) => record.environmentId === environmentId && isAlive(process));
}
