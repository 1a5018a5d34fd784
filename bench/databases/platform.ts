import { createAccount } from '../../e2e/acknowledged-writes.ts';
import { createDatabases, type Databases } from '../../e2e/databases.ts';
import { createDeployer, type Deployer } from '../../e2e/deploying.ts';
import { startPlatform, type Platform } from '../../e2e/platform.ts';

export interface BenchPlatform extends AsyncDisposable {
  platform: Platform;
  deployer: Deployer;
  databases: Databases;
}

export async function openPlatform(): Promise<BenchPlatform> {
  const platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LEVEL: 'warn' } });
  const deployer = createDeployer(platform, await createAccount(platform));
  return {
    platform,
    deployer,
    databases: createDatabases(deployer),
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}
