import type { GitHost } from '../../../server/src/testing/git-host.ts';
import type { ConnectionRig } from '../../../server/src/vcs/testing/connection-rig.ts';
import type { Account } from '../../acknowledged-writes.ts';
import { writePastHour } from './past.ts';
import { beginLinking, linkAccount, setUpGitlab } from '../walk/gitlab.ts';
import { connectTo, createDatabases } from '../../databases.ts';
import { createDeployer, type Deployer, visit } from '../../deploying.ts';
import type { Platform } from '../../platform.ts';
import { talkingApp } from '../../talking-app.ts';

/** By the names that addresses have for them. */
export type WorldIds = Record<
  'applicationId' | 'environmentId' | 'deploymentId' | 'olderId' | 'gitId' | 'failedId' | 'databaseId' | 'longId',
  string
>;

export interface World extends WorldIds {
  /** To the operator's page of repository hosts. */
  hostsLink: string;
  /** Where somebody comes to who began elsewhere to link an account. */
  beginLinking: () => Promise<string>;
}

export interface Hosts {
  /** Of repositories that everybody can read. */
  open: GitHost;
  /** Where accounts are linked. */
  gitlab: ConnectionRig;
}

/** What people have after a week: a server with variables, sites, one that failed, visitors, a database with rows. */
export async function fillPlatform(platform: Platform, hosts: Hosts, email: string): Promise<World> {
  const session = await platform.lilac('admin', 'session', 'create', '--email', email, '--json');
  if (session.exitCode !== 0) throw new Error(`There is no session: ${session.stderr}`);
  const account = JSON.parse(session.stdout) as Account;
  const deployer = createDeployer(platform, account);
  const hostsLink = await setUpGitlab(platform, hosts.gitlab);
  const linking = { platform, account, rig: hosts.gitlab };
  for (const name of ['handbook', 'shop', 'shop-api'])
    await hosts.gitlab.createRepository(`acme/${name}`, { isPrivate: true });
  await linkAccount({ ...linking, login: 'alice' }, deployer);
  const ids = await fillOrganisation(deployer, hosts.open);
  await writePastHour(platform, ids.visited);
  return { ...ids, hostsLink, beginLinking: () => beginLinking({ ...linking, login: 'bob' }) };
}

/** `visited`: the environments of those that have visitors. */
async function fillOrganisation(deployer: Deployer, host: GitHost): Promise<WorldIds & { visited: readonly string[] }> {
  const databases = createDatabases(deployer);
  const databaseId = await databases.create('orders');
  const broken = await deployer.createFromFiles('Broken build', brokenProject, {
    buildCommand: 'node build.mjs',
    outputDirectory: 'dist',
  });
  const long = await deployer.createFromFiles('A name that is rather longer than names are wont to be', siteOf('long'));
  const shop = await deployer.createFromFiles('Shop', talkingApp(), {
    deploymentType: 'container',
    environmentVars: { SHOP_NAME: 'Analytical goods', PAYMENT_TOKEN: 'tok_1f0c9a7e2b', PAGE_SIZE: '24' },
  });
  const older = await deployer.healthy((await deployer.newest(shop)).id);
  const { client, targetOrganisationId } = deployer;
  await client.call('projects.create', { body: { targetOrganisationId, name: 'Storefront' } });
  await client.call('environments.update', {
    body: { targetOrganisationId, environmentId: shop.environmentId, minInstances: 1, maxInstances: 3 },
  });
  const deploymentId = await deployer.deploy(shop, { ...talkingApp(), 'notes.txt': 'again' });
  await deployer.healthy(deploymentId);
  await visit(shop.url, '/chat?count=60&perSecond=200');
  for (let visits = 0; visits < 40; visits++) await visit(shop.url, `/say?text=order%20${visits}%20was%20paid`);
  await host.createRepository('analytical/handbook', siteOf('Handbook'));
  const handbook = await deployer.createFromRepository('Handbook', `${host.url}/analytical/handbook`, {
    deploymentType: 'static',
  });
  const gitId = (await deployer.newest(handbook)).id;
  const failedId = (await deployer.newest(broken)).id;
  await Promise.all([deployer.ended(failedId), deployer.healthy(gitId), databases.settled(databaseId)]);
  await fillDatabase(await databases.url(databaseId));
  return {
    applicationId: shop.id,
    environmentId: shop.environmentId,
    deploymentId,
    olderId: older.id,
    gitId,
    failedId,
    databaseId,
    longId: long.id,
    visited: [shop, long, handbook].map(({ environmentId }) => environmentId),
  };
}

const siteOf = (title: string) => ({ 'index.html': `<!doctype html><title>${title}</title><h1>${title}</h1>` });

const brokenProject = {
  'package.json': '{"name":"broken","private":true}',
  'build.mjs': "console.log('bundling 14 files');\nthrow new Error('shop.ts: cannot find name Basket');\n",
};

async function fillDatabase(url: string): Promise<void> {
  const connection = await connectTo(url);
  for (const statement of [
    'create table customers (id serial primary key, name text not null, email text)',
    'create table orders (id serial primary key, customer_id int references customers, total numeric(9,2), paid_at timestamptz)',
    "insert into customers (name, email) select 'Customer ' || n, 'customer' || n || '@example.org' from generate_series(1, 40) n",
    "insert into orders (customer_id, total, paid_at) select 1 + n % 40, n * 1.25, now() - n * interval '1 hour' from generate_series(1, 300) n",
  ]) {
    await connection.query(statement);
  }
  await connection.close();
}
