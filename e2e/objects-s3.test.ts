import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../server/src/lib/exec.ts';
import { startS3Server, type S3Server } from '../server/src/objects/s3/testing/start-s3-server.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDatabases, type Databases } from './databases.ts';
import { createDeployer, visit, zip, type Deployer } from './deploying.ts';
import { startPlatform, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/** The whole platform, with everything that is large in a bucket. */
let s3: S3Server;
let platform: Platform;
let deployer: Deployer;
let databases: Databases;
let url: string;
const scratch = mkdtempSync(join(tmpdir(), 'lilac-e2e-s3-'));

beforeAll(async () => {
  s3 = await startS3Server();
  platform = await startPlatform({ env: s3.environment });
  deployer = createDeployer(platform, await createAccount(platform));
  databases = createDatabases(deployer);
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  await s3?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

interface Check {
  id: string;
  status: string;
  found: string;
}

async function lookAtFiles(): Promise<Check | undefined> {
  const { stdout } = await platform.lilac('doctor', '--json');
  return (JSON.parse(stdout) as { checks: Check[] }).checks.find(({ id }) => id === 'objects.store');
}

describe('a platform whose files are in S3', () => {
  it('deploys a server that the command line sent straight to the bucket', async () => {
    for (const [file, content] of Object.entries(serverApp('from the bucket')))
      writeFileSync(join(scratch, file), content);
    const program = join(import.meta.dirname, '..', 'cli', 'bin', 'lilac.mjs');
    const { targetOrganisationId } = deployer;
    const wanted = { targetOrganisationId, name: 'CI', role: 'admin' as const };
    const { secret } = await deployer.client.call('api-keys.create', { body: wanted });
    const deployed = await run([process.execPath, program, 'deploy', '--type', 'container', '--name', 'direct'], {
      cwd: scratch,
      env: {
        PATH: process.env['PATH'],
        HOME: scratch,
        LILAC_API_URL: platform.url,
        LILAC_TOKEN: secret,
      },
    });
    expect(deployed).toMatchObject({ exitCode: 0 });
    url = deployed.stdout.trim();
    expect((await visit(url)).body).toBe('from the bucket');
  });

  it('takes an archive of unknown length itself, and deploys what was completed', async () => {
    const { client, targetOrganisationId } = deployer;
    const { uploadId, signedUrl } = await client.call('upload.request-url', { body: { targetOrganisationId } });
    expect(new URL(signedUrl).origin).toBe(platform.url);
    const put = async (files: Parameters<typeof zip>[0]) => {
      const headers = { 'content-type': 'application/zip' };
      return (await fetch(signedUrl, { method: 'PUT', headers, body: new Uint8Array(await zip(files)) })).status;
    };
    expect(await put(serverApp('by the platform'))).toBe(200);
    await client.call('upload.complete', { body: { targetOrganisationId, uploadId } });
    expect(await put(serverApp('exchanged'))).toBe(409);
    const { id: applicationId } = await client.call('applications.create-from-upload', {
      body: { targetOrganisationId, name: 'through', uploadId, deploymentType: 'container' },
    });
    const application = await client.call('applications.get', { body: { targetOrganisationId, applicationId } });
    const environmentId = application.environments[0]!.id;
    await deployer.healthy((await deployer.newest({ ...application, environmentId })).id);
    expect((await visit(application.url)).body).toBe('by the platform');
  });

  it('gives a dump of a database to whoever has its address, and takes it in again', async () => {
    const id = await databases.create('Shop', { databaseType: 'postgresql' });
    await databases.settled(id);
    const body = { targetOrganisationId: deployer.targetOrganisationId, databaseId: id };
    const { downloadUrl, size } = await deployer.client.call('databases.dump', { body });
    expect(new URL(downloadUrl).origin).toBe(s3.settings.endpoint?.origin);
    const answer = await fetch(downloadUrl);
    const dump = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, dump.length]).toEqual([200, size]);
    expect(String(gunzipSync(dump))).toContain('PostgreSQL database dump');
    const path = join(scratch, 'dump.sql.gz');
    writeFileSync(path, dump);
    expect((await databases.importFile(id, path)).status).toBe('healthy');
  });

  it('keeps nothing of it on this machine, and says where it is', async () => {
    const objects = join(platform.home, 'objects');
    expect(existsSync(objects) ? readdirSync(objects) : []).toEqual([]);
    expect(await lookAtFiles()).toMatchObject({ status: 'warn', found: expect.stringContaining('lilac-objects') });
    const file = join(scratch, 'platform.backup');
    const backup = await platform.lilac('backup', file, '--json');
    expect(JSON.parse(backup.stdout)).toMatchObject({
      objects: { count: 0, missing: [] },
      objectsIn: expect.stringMatching(/^the bucket lilac-objects at http/),
    });
  });

  it('serves on while the bucket is away, and says so', async () => {
    await s3.stop();
    expect((await visit(url)).body).toBe('from the bucket');
    expect(await lookAtFiles()).toMatchObject({ status: 'fail', found: expect.stringContaining('cannot be reached') });
  });
});
