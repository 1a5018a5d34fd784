import type { DeploymentJobsDeps } from '../jobs.ts';

/** For workers that release files only. */
export const noInstances: DeploymentJobsDeps['fleet'] = {
  prepare: () => Promise.reject(new Error('Nothing runs here.')),
  settle: async () => {},
  serving: () => [],
};
