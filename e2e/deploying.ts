import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import yazl from 'yazl';
import { createClient, type CallInput, type Client } from '../contract/src/client.ts';
import type { OutputOf } from '../contract/src/endpoint.ts';
import type { Endpoints } from '../contract/src/endpoints.ts';
import type { Account } from './acknowledged-writes.ts';
import { until, type Platform } from './platform.ts';

export type Files = Record<string, string | Buffer>;
export type Deployment = OutputOf<Endpoints['deployments.get']>;
type CreateFromUpload = CallInput<'applications.create-from-upload'>['body'];
type Create = CallInput<'applications.create'>['body'];

/** A signed-in person with the typed client: what a user of the API does to deploy. */
export interface Deployer {
  client: Client;
  targetOrganisationId: string;
  /** PUTs an archive and completes it; returns the upload's id. */
  upload(files: Files): Promise<string>;
  createFromFiles(name: string, files: Files, settings?: Partial<CreateFromUpload>): Promise<Application>;
  createFromRepository(name: string, vcsRepoUrl: string, settings?: Partial<Create>): Promise<Application>;
  /** Starts a deployment of production; a new archive where files are given. */
  deploy(application: Application, files?: Files): Promise<string>;
  newest(application: Application): Promise<Deployment>;
  /** Waits until a deployment has ended, whichever way. */
  ended(deploymentId: string): Promise<Deployment>;
  /** Waits for it to be healthy; fails with its log otherwise. */
  healthy(deploymentId: string): Promise<Deployment>;
  rollBack(application: Application, deploymentId: string): Promise<void>;
}

export interface Application {
  id: string;
  url: string;
  environmentId: string;
}

export function createDeployer(platform: Platform, { token, organisationId }: Account): Deployer {
  const client = createClient({ baseUrl: platform.url, token });
  const targetOrganisationId = organisationId;
  const get = (deploymentId: string) =>
    client.call('deployments.get', { body: { targetOrganisationId, deploymentId } });

  async function upload(files: Files): Promise<string> {
    const archive = await zip(files);
    const reserved = await client.call('upload.request-url', {
      body: { targetOrganisationId, fileSize: archive.length },
    });
    // The platform's public name may be one that this machine does not know; an object store of its own is known.
    const { pathname, search } = new URL(reserved.signedUrl);
    const isOurs = pathname.startsWith('/objects/');
    const put = await fetch(isOurs ? new URL(pathname + search, platform.url) : reserved.signedUrl, {
      method: 'PUT',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(archive),
    });
    if (!put.ok) throw new Error(`The PUT was answered ${put.status}: ${await put.text()}`);
    await client.call('upload.complete', { body: { targetOrganisationId, uploadId: reserved.uploadId } });
    return reserved.uploadId;
  }

  async function describe(applicationId: string): Promise<Application> {
    const { url, environments } = await client.call('applications.get', {
      body: { targetOrganisationId, applicationId },
    });
    return { id: applicationId, url, environmentId: environments.find((each) => each.is_production)!.id };
  }

  async function ended(deploymentId: string): Promise<Deployment> {
    let deployment = await get(deploymentId);
    await until(
      `deployment ${deploymentId} has ended`,
      async () => {
        deployment = await get(deploymentId);
        return ['healthy', 'failed', 'cancelled'].includes(deployment.status);
      },
      170_000,
    );
    return deployment;
  }

  return {
    client,
    targetOrganisationId,
    upload,
    ended,
    async createFromFiles(name, files, settings = {}) {
      const uploadId = await upload(files);
      const body = { targetOrganisationId, name, uploadId, deploymentType: 'static' as const, ...settings };
      return describe((await client.call('applications.create-from-upload', { body })).id);
    },
    async createFromRepository(name, vcsRepoUrl, settings = {}) {
      const body = { targetOrganisationId, name, vcsRepoUrl, ...settings };
      return describe((await client.call('applications.create', { body })).id);
    },
    async deploy({ id: applicationId }, files) {
      const uploadId = files && (await upload(files));
      const body = { targetOrganisationId, applicationId, uploadId };
      return (await client.call('applications.deploy', { body })).id;
    },
    async newest({ environmentId }) {
      const body = { targetOrganisationId, environmentId, limit: 1 };
      const [newest] = await client.call('deployments.list', { body });
      return get(newest!.id);
    },
    async healthy(deploymentId) {
      const deployment = await ended(deploymentId);
      if (deployment.status !== 'healthy') {
        throw new Error(`${deployment.status}: ${deployment.error}\n${deployment.deployment_logs.join('\n')}`);
      }
      return deployment;
    },
    async rollBack({ environmentId }, deploymentId) {
      await client.call('deployments.rollback', { body: { targetOrganisationId, environmentId, deploymentId } });
    },
  };
}

export interface Page {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Names below localhost are not resolved everywhere, so the address is named apart from the host. */
export function visit(url: string, path = '/', headers: Record<string, string> = {}): Promise<Page> {
  return ask(url, { path, headers });
}

/** Sends words that nobody may send twice. */
export function post(url: string, path: string, body: string): Promise<Page> {
  return ask(url, { method: 'POST', path, headers: {} }, body);
}

interface Asked {
  method?: string;
  path: string;
  headers: Record<string, string>;
}

async function ask(url: string, { headers, ...asked }: Asked, body = ''): Promise<Page> {
  const { host, port } = new URL(url);
  const signal = AbortSignal.timeout(30_000);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, ...asked, headers: { host, ...headers }, agent, signal }, resolve)
      .once('error', reject)
      .end(body);
  });
  return { status: answer.statusCode!, headers: answer.headers, body: (await buffer(answer)).toString() };
}

const agent = new Agent({ keepAlive: true });

/** Asks a page again and again, and remembers every answer that was not as it should be. */
export function startVisiting(url: string, isRight: (page: Page) => boolean) {
  const wrong: string[] = [];
  const stopping = new AbortController();
  let visits = 0;
  const visiting = (async () => {
    for (; !stopping.signal.aborted; visits++) {
      const problem = await visit(url).then(
        (page) => (isRight(page) ? null : `${page.status} ${page.body.slice(0, 200)}`),
        (error: Error) => error.message,
      );
      if (problem !== null) wrong.push(problem);
    }
  })();
  return {
    wrong,
    visits: () => visits,
    async stop() {
      stopping.abort();
      await visiting;
    },
  };
}

export async function zip(files: Files): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  return buffer(archive.outputStream);
}

/** An example of ours as a client would send it: without what a build makes. */
export async function readExample(name: string): Promise<Files> {
  const folder = join(import.meta.dirname, '..', 'examples', name);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Files = {};
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (/(^|\/)(node_modules|dist|_site|expect\.json$)/.test(path)) continue;
    files[path] = readFileSync(join(folder, path));
  }
  return files;
}
