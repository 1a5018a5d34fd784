import { createAccount } from './acknowledged-writes.ts';
import { createDatabases, type Databases } from './databases.ts';
import { createDeployer, type Deployer } from './deploying.ts';
import { startPlatform, type Platform } from './platform.ts';

/** The whole platform, and a user of it who makes databases. */
export interface DatabaseWorld extends AsyncDisposable {
  platform: Platform;
  deployer: Deployer;
  databases: Databases;
}

export async function openDatabaseWorld(env: Record<string, string> = {}): Promise<DatabaseWorld> {
  const platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', ...env } });
  const deployer = createDeployer(platform, await createAccount(platform));
  return {
    platform,
    deployer,
    databases: createDatabases(deployer),
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}
