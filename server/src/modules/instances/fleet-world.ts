import type { Leadership } from '../../jobs/leadership.ts';
import type { LineWriter } from '../../logs/line-writer.ts';
import type { CpuMeter } from './cpu-meter.ts';
import type { FleetDeps, FleetTiming } from './fleet.ts';
import type { LoadBoard } from './load-board.ts';

/** What every keeper shares. */
export interface FleetWorld extends Omit<FleetDeps, 'timing' | 'leadership'> {
  timing: FleetTiming;
  leadership: Leadership;
  board: LoadBoard;
  cpu: CpuMeter;
  /** Takes what is told in the logs of environments. */
  lines: Pick<LineWriter, 'add'>;
  /** Instances that were stopped since the runtime was last asked what there is: its answer may be out of date. */
  departed: Set<string>;
  /** An instance is to go: edges' reports are of interest at once. */
  hurry(): void;
}

export const nowOf = ({ clock }: Pick<FleetWorld, 'clock'>): number => clock.now().getTime();
