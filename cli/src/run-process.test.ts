import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeLink } from './link/link.ts';
import { startPlatformDouble } from './testing/start-platform-double.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const environment = { id: 'env_1', application_id: 'app_1', name: 'production', is_production: true, url: 'http://x' };
const application = { id: 'app_1', name: 'Shop', source_type: 'vcs', vcs_repo_url: 'http://y', environments: [] };

const event = (name: string, data: unknown) => `id: 1\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A build that goes on until it is cancelled. */
async function startBuilding() {
  let isCancelled = false;
  const at = '2026-01-01T00:00:00Z';
  const stream = () => ({
    headers: { 'content-type': 'text/event-stream' },
    body: isCancelled
      ? event('end', { status: 'cancelled' })
      : event('status', { status: 'building', deployment_stage: 'building', at }),
  });
  const deployment = () => ({
    body: { id: 'dep_1', status: isCancelled ? 'cancelled' : 'building', deployment_logs: [] },
  });
  const platform = await startPlatformDouble({
    '/api/applications/get': { body: application },
    '/api/environments/get': { body: environment },
    '/api/environments/deploy': { body: { id: 'dep_1' } },
    '/api/deployments/-/dep_1/stream': stream,
    '/api/deployments/-/dep_1/stream?from=-1': stream,
    '/api/deployments': { body: [{ id: 'dep_0', is_live: true }] },
    '/api/deployments/get': deployment,
    '/api/deployments/cancel': () => {
      isCancelled = true;
      return { body: { message: 'Cancelling.' } };
    },
  });
  return { ...platform, isCancelled: () => isCancelled };
}

const main = join(import.meta.dirname, 'main.ts');

describe('lilac deploy', () => {
  it('takes everything back when nobody is there any more to read what it says', async () => {
    using platform = await startBuilding();
    using folder = temporaryFolder();
    const link = { apiUrl: platform.url, organisationId: '-', applicationId: 'app_1', environmentId: 'env_1' };
    writeLink(folder.path, link);
    const child = spawn(process.execPath, [main, 'deploy'], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, LILAC_TOKEN: 'lc_key', LILAC_API_URL: platform.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(child.stderr, 'data');
    child.stderr.destroy();
    await expect
      .poll(() => platform.received.some(({ path }) => path.endsWith('/stream')), { timeout: 20_000 })
      .toBe(true);
    child.kill('SIGHUP');
    expect(await once(child, 'exit')).toEqual([129, null]);
    expect(platform.isCancelled()).toBe(true);
  });
});
