import type { DeploymentStage } from '@lilac/contract/states';
import type { BuildLog } from './build-log.ts';

const beginnings: Partial<Record<DeploymentStage, string>> = {
  fetching: 'Fetching the source',
  detecting: 'Finding out how to build it',
  installing: 'Installing dependencies',
  building: 'Building',
  packaging: 'Packing the result',
};

/** Tells in the log which stage begins and how long the one before it took. */
export function tellStages(log: BuildLog) {
  let current: { stage: DeploymentStage; since: number } | null = null;
  const end = (): void => {
    if (current) log.note(`${current.stage} took ${((performance.now() - current.since) / 1000).toFixed(2)} s`);
    current = null;
  };
  return {
    begin(stage: DeploymentStage): void {
      end();
      log.note(beginnings[stage] ?? stage);
      current = { stage, since: performance.now() };
    },
    end,
  };
}
