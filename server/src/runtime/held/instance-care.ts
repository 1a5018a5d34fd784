import type { Listener } from '../runtime.ts';
import type { HeldInstance } from './held-instance.ts';
import type { InstanceRecord } from './instance-record.ts';

/** What is to be done for the instances that are held here, and depends on what they run in. */
export interface InstanceCare {
  /** Ports on which these processes of it listen. */
  listeners(held: HeldInstance, pids: readonly number[]): Promise<Listener[]>;
  /** Its first process is gone: writes down how it ended, where the process itself left no word. Never rejects. */
  noteEnd?(held: Pick<HeldInstance, 'record' | 'folder'>): Promise<void>;
  /** Everything it was given is taken back, its folder last; harmless where something is gone already. */
  clearAway(held: Pick<HeldInstance, 'record' | 'folder'>): Promise<void>;
  /**
   * Everything that is not of these is taken back. They are read once it is known what is there: what is begun
   * meanwhile is noted first.
   */
  sweep(held: () => readonly InstanceRecord[]): Promise<void>;
}
