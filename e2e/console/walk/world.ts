import type { ConnectionRig } from '../../../server/src/vcs/testing/connection-rig.ts';
import { startGitlabRig } from '../../../server/src/vcs/testing/gitlab-rig.ts';
import { type Account, createAccount } from '../../acknowledged-writes.ts';
import { gitlabSettings, setUpGitlab } from './gitlab.ts';
import { connectTo, createDatabases } from '../../databases.ts';
import { createDeployer, type Deployer } from '../../deploying.ts';
import { type Platform, startPlatform, until } from '../../platform.ts';

/** A name as long as it may be. */
export const longName = (beginning: string) => beginning.padEnd(100, 'o');

export const invited = 'grace@example.org';

/** A platform with something on every page. */
export interface WalkWorld extends AsyncDisposable {
  platform: Platform;
  rig: ConnectionRig;
  /** By the names that addresses have for them. */
  ids: Record<string, string>;
  account: Account;
  invitation: string;
  /** To the operator's page of repository hosts. */
  hostsLink: string;
}

/** `beforeAccounts` is called while the link of the first start can still be used. */
export async function openWalkWorld(beforeAccounts: (platform: Platform) => Promise<void>): Promise<WalkWorld> {
  const rig = await startGitlabRig();
  const platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', ...gitlabSettings(rig) } });
  await beforeAccounts(platform);
  const account = await createAccount(platform);
  const deployer = createDeployer(platform, account);
  const [filled, hostsLink] = await Promise.all([fill(deployer), setUpGitlab(platform, rig)]);
  await rig.createRepository(`acme/${longName('shop')}`, { isPrivate: true, files: { 'index.html': '<h1>Shop</h1>' } });
  return {
    platform,
    rig,
    account,
    hostsLink,
    ...filled,
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    },
  };
}

async function fill(deployer: Deployer): Promise<Pick<WalkWorld, 'ids' | 'invitation'>> {
  const { client, targetOrganisationId } = deployer;
  const databases = createDatabases(deployer);
  const databaseId = await databases.create(longName('orders'));
  const application = await deployer.createFromFiles(longName('Shop'), { 'index.html': '<h1>Shop</h1>' });
  await client.call('organisations.update', { body: { targetOrganisationId, name: longName('Acme') } });
  await client.call('projects.create', { body: { targetOrganisationId, name: longName('Folder') } });
  await client.call('api-keys.create', { body: { targetOrganisationId, name: longName('key') } });
  const { url } = await client.call('organisations.invite', { body: { targetOrganisationId, email: invited } });
  const deploymentId = (await deployer.newest(application)).id;
  await Promise.all([deployer.healthy(deploymentId), databases.settled(databaseId)]);
  const connection = await connectTo(await databases.url(databaseId));
  await connection.query('create table customers (id serial primary key, name text)');
  await connection.query("insert into customers (name) values ('Grace')");
  await connection.close();
  const ofDatabase = { targetOrganisationId, databaseId };
  await client.call('databases.backup', { body: ofDatabase });
  await until('there is a backup', async () =>
    (await client.call('databases.backups', { body: ofDatabase })).some(({ status }) => status === 'ready'),
  );
  const { id: applicationId, environmentId } = application;
  return { ids: { applicationId, environmentId, deploymentId, databaseId }, invitation: url };
}
