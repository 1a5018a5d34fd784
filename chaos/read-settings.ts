import type { Scene } from './scene.ts';

type Reading = Pick<Scene, 'deployer' | 'server' | 'sleeper' | 'databases'>;

/** What the platform says of what people have changed, as the ledger writes it down. */
export async function readVariables(scene: Reading): Promise<string | null> {
  return (await readServer(scene)).environment_vars.CHAOS ?? null;
}

export async function readScale(scene: Reading): Promise<string> {
  const { min_instances: least, max_instances: most } = await readServer(scene);
  return `${least}-${most}`;
}

export async function readName({ deployer, sleeper }: Reading): Promise<string> {
  const { client, targetOrganisationId } = deployer;
  const body = { targetOrganisationId, applicationId: sleeper.id };
  return (await client.call('applications.get', { body })).name;
}

export async function readStorage({ databases }: Pick<Scene, 'databases'>, id: string): Promise<string> {
  return String((await databases.get(id)).storage_gb);
}

function readServer({ deployer, server }: Reading) {
  const { client, targetOrganisationId } = deployer;
  return client.call('environments.get', { body: { targetOrganisationId, environmentId: server.environmentId } });
}
