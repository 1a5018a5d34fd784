import { createAccount, signInByCommands } from '../e2e/acknowledged-writes.ts';
import { createDatabases } from '../e2e/databases.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { startPlatform, type Platform } from '../e2e/platform.ts';
import { ANY_INSPECTOR_PORT } from '../e2e/process-memory.ts';
import { startGitHost } from '../server/src/testing/git-host.ts';

/** A real platform with something of most kinds. */
export interface ContractTarget extends AsyncDisposable {
  platform: Platform;
  /** Of an administrator. */
  key: string;
  /** What is there, by the names of the fields that take it. */
  ids: Record<string, string>;
  /** A new session of the owner; its token lives 15 minutes. */
  signIn(): Promise<string>;
}

export async function openContractTarget(): Promise<ContractTarget> {
  // No repository host of the world is asked.
  const git = await startGitHost();
  const platform = await startPlatform({
    env: { ...ANY_INSPECTOR_PORT, LILAC_RATE_LIMIT: '100000000', LILAC_VCS_URL: git.url },
  });
  const end = async () => {
    await platform[Symbol.asyncDispose]();
    await git[Symbol.asyncDispose]();
  };
  try {
    return {
      platform,
      ...(await plant(platform)),
      signIn: async () => (await signInByCommands(platform)).token,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function plant(platform: Platform): Promise<Pick<ContractTarget, 'key' | 'ids'>> {
  const deployer = createDeployer(platform, await createAccount(platform));
  const { client, targetOrganisationId } = deployer;
  const databases = createDatabases(deployer);
  const databaseId = await databases.create('Orders');
  const application = await deployer.createFromFiles('Site', { 'index.html': 'home' });
  const deployment = await deployer.healthy((await deployer.newest(application)).id);
  await databases.settled(databaseId);
  const folder = await client.call('projects.create', { body: { targetOrganisationId, name: 'Folder' } });
  const key = await client.call('api-keys.create', { body: { targetOrganisationId, name: 'Fuzz', role: 'admin' } });
  const organisation = { targetOrganisationId, organisationId: targetOrganisationId, orgId: targetOrganisationId };
  const { id: applicationId, environmentId } = application;
  const ids = { ...organisation, applicationId, environmentId, databaseId, deploymentId: deployment.id };
  const uploadId = await deployer.upload({ 'index.html': 'more' });
  return { key: key.secret, ids: { ...ids, projectId: folder.id, targetFolderId: folder.id, uploadId } };
}
