import type { DeploymentStatus } from '@lilac/contract/states';
import { formatDuration } from '@lilac/contract/format-duration';
import { type Run, runMs } from '../../lib/runs-of.ts';
import { type StageStep, timeOfStep } from './stage-steps.ts';

const ends: Partial<Record<DeploymentStatus, string>> = { failed: 'Failed at', cancelled: 'Cancelled at' };

/** All stages in a line: where it is, or how it ended, and how long that took. */
export function sayRun(run: Run, steps: readonly StageStep[]): string {
  const place = steps.findIndex(({ state }) => state === 'current');
  const current = steps[place];
  if (current) {
    return [`Stage ${place + 1} of ${steps.length}: ${current.label}`, timeOfStep(current)].filter(Boolean).join(' · ');
  }
  const took = runMs(run);
  const end = ends[run.status];
  if (end) return `${end} ${steps.at(-1)!.label}${took === null ? '' : ` after ${formatDuration(took)}`}`;
  return took === null ? steps.at(-1)!.label : `${steps.length} stages done in ${formatDuration(took)}`;
}
