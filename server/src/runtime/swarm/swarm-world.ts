import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { InstanceAddress } from '../runtime.ts';
import type { ToolSource } from '../tools.ts';
import { createControl, tokenOf, type TaskControl } from './control-client.ts';
import type { SwarmEngine } from './engine.ts';
import type { PackedInit } from './pack-init.ts';
import type { Reaches } from './reaches.ts';

/** What everything that starts and stops tasks shares. */
export interface SwarmWorld {
  config: Config;
  log: Log;
  objects: ObjectStore;
  tools: ToolSource;
  engine: SwarmEngine;
  init: PackedInit;
  /** Opens the control ports of all tasks. */
  controlKey: Buffer;
  reaches: Reaches;
  /** Tasks that somebody is about to claim. */
  taken: Set<string>;
  /** By service: how many starts wait for a task. */
  waiting: Map<string, number>;
  /** Instances that are just being started: noted, perhaps, and not to be relied on yet. */
  starting: Set<string>;
}

export const controlOf = (
  { controlKey }: Pick<SwarmWorld, 'controlKey'>,
  serviceName: string,
  at: Pick<InstanceAddress, 'host'> & { controlPort: number },
): TaskControl => createControl(at, tokenOf(controlKey, serviceName));
