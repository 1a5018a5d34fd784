import { createAccount } from '../acknowledged-writes.ts';
import { createDatabases, databaseTypes, type Databases } from '../databases.ts';
import { createDeployer, type Application, type Deployer } from '../deploying.ts';
import { notesApp } from '../notes-app.ts';
import type { Platform } from '../platform.ts';
import { serverApp } from '../server-app.ts';
import type { DatabaseType } from '../../contract/src/states.ts';

/** A platform on one kind of runtime, and a look behind the scenes that only whoever opened it can take. */
export interface World extends AsyncDisposable {
  platform: Platform;
  /** How many instances there are, of all applications. */
  countRunning(): Promise<number>;
  /** Whatever of applications is there: instances, and all that was made for them. A name each. */
  listRemains(): Promise<string[]>;
}

/** What a user has made there: a server, one that keeps notes, and a database of each type that the host has. */
export interface Scene<W extends World = World> {
  world: W;
  deployer: Deployer;
  databases: Databases;
  server: Application;
  /** The first deployment of the server. */
  firstId: string;
  notes: Application;
  databaseIds: Partial<Record<DatabaseType, string>>;
}

/** In a hurry where people would be given time. */
export const hurriedSettings = {
  LILAC_RATE_LIMIT: '1000000',
  LILAC_EDGE_PROCESSES: '2',
  LILAC_SCALE_DOWN_AFTER: '500ms',
  LILAC_IDLE_TO_ZERO_AFTER: '500ms',
  LILAC_DRAIN_WITHIN: '5s',
};

/** The variable by which the notes find a database. */
export const variableFor: Record<DatabaseType, string> = { postgresql: 'DATABASE_URL', mysql: 'MYSQL_URL' };

export async function openScene<W extends World>(world: W): Promise<Scene<W>> {
  const deployer = createDeployer(world.platform, await createAccount(world.platform));
  const databases = createDatabases(deployer);
  const offered = (await deployer.client.call('config.platform')).databaseTypes;
  const types = databaseTypes.filter((type) => offered.some(({ id, available }) => id === type && available));
  const [server, notes, databaseIds] = await Promise.all([
    release(deployer, 'Server', serverApp('one')),
    release(deployer, 'Notes', notesApp()),
    Promise.all(types.map(async (type) => [type, await createDatabase(databases, type)] as const)),
  ]);
  await scale({ deployer }, server.application, [1, 3]);
  return {
    world,
    deployer,
    databases,
    server: server.application,
    firstId: server.id,
    notes: notes.application,
    databaseIds: Object.fromEntries(databaseIds),
  };
}

async function createDatabase(databases: Databases, databaseType: DatabaseType): Promise<string> {
  const id = await databases.create(`Notes in ${databaseType}`, { databaseType, publicIpEnabled: false });
  await databases.settled(id);
  return id;
}

async function release(deployer: Deployer, name: string, files: ReturnType<typeof serverApp>) {
  const application = await deployer.createFromFiles(name, files, { deploymentType: 'container' });
  const { id } = await deployer.healthy((await deployer.newest(application)).id);
  return { application, id };
}

export async function scale(
  { deployer }: Pick<Scene, 'deployer'>,
  { environmentId }: Application,
  [minInstances, maxInstances]: [number, number],
): Promise<void> {
  const { client, targetOrganisationId } = deployer;
  await client.call('environments.scale', {
    body: { targetOrganisationId, environmentId, minInstances, maxInstances },
  });
}
