import type { Builder } from '../../build/builder.ts';
import type { Log } from '../../lib/log.ts';
import { purgeSilentMachines } from '../../routing/machine-store.ts';
import { purgeSilentEdges, purgeWithdrawnRoutes } from '../../routing/route-store.ts';
import type { GitSources } from '../../vcs/git/repository.ts';
import { removeForgottenUploads, type RetainDeps } from './retain-deployments.ts';

const WITHDRAWN_ROUTES_KEPT_HOURS = 24;
const SILENT_EDGES_KEPT_HOURS = 24;

export interface SweepDeps extends Pick<RetainDeps, 'store' | 'objects'> {
  builder: Pick<Builder, 'sweep'>;
  gitSources: Pick<GitSources, 'sweep'>;
  artifacts: { sweep(): Promise<unknown> };
  log: Log;
}

/** What a killed worker left on this machine; before the next one takes its first build. */
export async function sweepBuilds({ builder, log }: Pick<SweepDeps, 'builder' | 'log'>): Promise<void> {
  await builder.sweep().catch((error: unknown) => log.error({ err: error }, 'what builds left behind was not removed'));
}

/** What nobody asks for any more. One that fails does not keep the others from being done. */
export async function sweepStored({ store, objects, gitSources, artifacts, log }: SweepDeps): Promise<void> {
  const sweeps = {
    artifacts: () => artifacts.sweep(),
    uploads: () => removeForgottenUploads({ store, objects }, 'all'),
    repositories: () => gitSources.sweep(),
    routes: () => purgeWithdrawnRoutes(store.db, WITHDRAWN_ROUTES_KEPT_HOURS),
    machines: () => purgeSilentMachines(store.db),
    edges: () => purgeSilentEdges(store.db, SILENT_EDGES_KEPT_HOURS),
  };
  for (const [what, sweep] of Object.entries(sweeps)) {
    await sweep().catch((error: unknown) => log.error({ err: error, what }, 'a sweep failed; it is tried again later'));
  }
}
