import { applicationUrl } from '../applications/application.ts';
import { readLinkedAddresses } from '../databases/links/linked-addresses.ts';
import { openSnapshot } from '../deployments/variables-snapshot.ts';
import type { FleetWorld } from './fleet-world.ts';
import { readRunnable } from './fleet-store.ts';
import type { Subject } from './subject.ts';

/** Null when the deployment is static, or its files are gone. */
export async function loadSubject(
  { store, keyring, config }: Pick<FleetWorld, 'store' | 'keyring' | 'config'>,
  deploymentId: string,
): Promise<Subject | null> {
  const row = await readRunnable(store.db, deploymentId);
  if (!row) return null;
  const { databaseLinks } = row;
  const own = openSnapshot(keyring, { id: row.deploymentId, variables: row.variables });
  const addresses = await readLinkedAddresses(store.db, { config, keyring }, databaseLinks);
  return {
    organisationId: row.organisationId,
    environment: { id: row.environmentId, name: row.environmentName },
    application: { name: row.applicationName },
    url: applicationUrl(config, row.subdomain),
    deployment: {
      id: row.deploymentId,
      run: row.run,
      variables: { ...own, ...addresses },
      databaseLinks,
      slug: { artifactId: row.artifactId, hash: row.hash.toString('hex') },
      commitSha: row.commitSha,
      branch: row.branch,
    },
  };
}
