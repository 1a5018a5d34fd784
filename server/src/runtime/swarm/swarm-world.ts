import type { Config } from '../../config.ts';
import type { Leadership } from '../../jobs/leadership.ts';
import type { Log } from '../../lib/log.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { ToolSource } from '../tools.ts';
import { createControl, tokenOf, type ControlPlace, type TaskControl } from './control-client.ts';
import type { AddressRest } from './address-rest.ts';
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
  /** The swarm is everybody's: before anything is done to it, it is asked whether this worker still leads. */
  leadership: Pick<Leadership, 'isHeld' | 'certain'>;
  /** Tasks that somebody is about to claim. */
  taken: Set<string>;
  /** By service: how many starts wait for a task. */
  waiting: Map<string, number>;
  /** Instances that are just being started: noted, perhaps, and not to be relied on yet. */
  starting: Set<string>;
  /** Tasks that run, as the swarm has it, and do not answer: of no use to anybody. */
  silent: Set<string>;
  addresses: AddressRest;
}

export const controlOf = (
  { controlKey }: Pick<SwarmWorld, 'controlKey'>,
  serviceName: string,
  at: ControlPlace,
): TaskControl => createControl(at, tokenOf(controlKey, serviceName));
