import type { Store } from '../../db/pool.ts';
import { findRoute, publishRoute } from '../../routing/route-store.ts';
import { findArtifact, holdEnvironment } from './deployment-store.ts';
import type { OfArtifact } from './job-kinds.ts';

export interface CompressDeps {
  store: Pick<Store, 'db'>;
  artifacts: {
    /** Adds the compressed forms of an artifact's files; harmless when it is gone. */
    compress(artifactId: string, signal: AbortSignal): Promise<unknown>;
  };
}

/** After the release, so that nobody waits for it. Edges are told to read the manifest again while they serve it. */
export async function compressRelease(deps: CompressDeps, subject: OfArtifact, signal: AbortSignal): Promise<void> {
  const { environmentId, artifactId } = subject;
  await deps.artifacts.compress(artifactId, signal);
  await deps.store.db.transaction().execute(async (tx) => {
    const held = await holdEnvironment(tx, environmentId);
    if (!held || held.environment.status === 'deleting') return;
    const artifact = await findArtifact(tx, artifactId);
    const target = (await findRoute(tx, environmentId))?.target;
    if (!artifact?.compressed_at || target?.kind !== 'static') return;
    if (target.artifactId !== artifactId || target.revision === 1) return;
    await publishRoute(tx, {
      environmentId,
      subdomain: held.environment.subdomain,
      target: { ...target, revision: 1 },
    });
  });
}
