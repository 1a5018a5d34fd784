import type { DeploymentStage } from '@lilac/contract/states';
import type { BuildLog } from './build-log.ts';

const stages: Partial<Record<DeploymentStage, { begins: string; ended: string }>> = {
  fetching: { begins: 'Fetching the source', ended: 'Fetched' },
  detecting: { begins: 'Detecting how to build it', ended: 'Detected' },
  installing: { begins: 'Installing dependencies', ended: 'Installed' },
  building: { begins: 'Building', ended: 'Built' },
  packaging: { begins: 'Packing the result', ended: 'Packed' },
};

/** Tells in the log which stage begins, and how long it took. */
export function tellStages(log: Pick<BuildLog, 'note'>) {
  let current: { ended: string; since: number } | null = null;
  /** `what`, where there is more to say of it than that it ended. */
  const end = (what?: string): void => {
    if (current) log.note(`${[current.ended, what].filter(Boolean).join(' ')} in ${formatSeconds(current.since)}`);
    current = null;
  };
  return {
    begin(stage: DeploymentStage): void {
      end();
      const { begins, ended } = stages[stage] ?? { begins: stage, ended: stage };
      log.note(begins);
      current = { ended, since: performance.now() };
    },
    end,
  };
}

function formatSeconds(since: number): string {
  const seconds = (performance.now() - since) / 1000;
  return `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`;
}
