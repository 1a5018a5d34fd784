import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { createOwner, type TestOwner } from '../../testing/factories.ts';
import { startGitHost, type GitHost } from '../../testing/git-host.ts';
import { startApi, type Answer, type TestApi } from '../../testing/harness.ts';

let host: GitHost;
let api: TestApi;
let owner: TestOwner;

beforeAll(async () => {
  host = await startGitHost();
  const { vcsUrls } = readConfig({ LILAC_VCS_URL: host.url });
  api = await startApi({ config: { vcsUrls } });
  owner = await createOwner(api);
  await host.createRepository('acme/monorepo', {
    'package.json': JSON.stringify({ private: true, workspaces: ['apps/*'] }),
    'package-lock.json': '{}',
    'apps/web/package.json': JSON.stringify({ scripts: { build: 'vite build' }, devDependencies: { vite: '7.0.0' } }),
    'apps/web/index.html': '<!doctype html>',
    'apps/docs/index.html': '<!doctype html>',
    'README.md': 'x',
  });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const call = (path: string, body: object): Promise<Answer> =>
  api.call(`/api/applications/${path}`, {
    token: owner.token,
    body: { targetOrganisationId: owner.organisationId, ...body },
  });
const list = async (path?: string): Promise<string[]> =>
  (await call('list-repo-directories', { ...monorepo, path })).body.directories as string[];
const monorepo = { owner: 'acme', repo: 'monorepo', branch: 'main' };

describe('POST /api/applications/detect-framework', () => {
  it('tells how a folder of a repository would be built', async () => {
    const answer = await call('detect-framework', { ...monorepo, rootDirectory: 'apps/web' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        framework: 'vite',
        deploymentType: 'static',
        outputDirectory: 'dist',
        packageManager: 'npm',
        runtime: null,
      },
    });
    expect(answer.body.buildCommand).toMatch(/build/);
    const docs = await call('detect-framework', { ...monorepo, rootDirectory: 'apps/docs' });
    expect(docs).toMatchObject({ status: 200, body: { deploymentType: 'static', buildCommand: null } });
  });

  it('400 VA001 for a folder that is not there, or a provider, owner or branch that cannot be', async () => {
    const wrong = [
      { rootDirectory: 'apps/none' },
      { rootDirectory: '../..' },
      { owner: 'a/b' },
      { branch: '--upload-pack=x' },
    ];
    for (const change of wrong) {
      const answer = await call('detect-framework', { ...monorepo, ...change });
      expect([change, answer.status, answer.body.code]).toEqual([change, 400, 'VA001']);
    }
  });

  it('400 VA003 for a repository or a branch that is not there', async () => {
    for (const change of [{ repo: 'none' }, { branch: 'none' }]) {
      const answer = await call('detect-framework', { ...monorepo, ...change });
      expect([change, answer.status, answer.body.code]).toEqual([change, 400, 'VA003']);
    }
  });
});

describe('POST /api/applications/list-repo-directories', () => {
  it('lists the folders one level below a path by their whole paths', async () => {
    expect(await list()).toEqual(['apps']);
    expect(await list('')).toEqual(['apps']);
    expect(await list('apps')).toEqual(['apps/docs', 'apps/web']);
    expect(await list('./apps/')).toEqual(['apps/docs', 'apps/web']);
    expect(await list('apps/web')).toEqual([]);
  });

  it('404 NF001 for a path that is no folder, 400 VA001 for one outside', async () => {
    for (const path of ['none', 'apps/none/deeper', 'README.md']) {
      expect((await call('list-repo-directories', { ...monorepo, path })).body.code).toBe('NF001');
    }
    for (const path of ['..', '/etc', 'apps/../../x']) {
      expect((await call('list-repo-directories', { ...monorepo, path })).body.code).toBe('VA001');
    }
  });
});

describe('POST /api/applications/public-branches', () => {
  it('lists branches by owner and name, and by address', async () => {
    const sha = await host.createRepository('acme/branches', { 'a.txt': 'a' });
    await host.commit('acme/branches', { branch: 'feature/x', files: { 'b.txt': 'b' } });
    const answer = await call('public-branches', { owner: 'acme', repo: 'branches' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      { name: 'feature/x', commit_sha: expect.stringMatching(/^[\da-f]{40}$/) as string },
      { name: 'main', commit_sha: sha },
    ]);
    expect((await call('public-branches', { vcsRepoUrl: `${host.url}/acme/branches` })).body).toEqual(answer.body);
  });

  it('400 VA001 without a repository or with one elsewhere; VA003 for a private one', async () => {
    await host.createRepository('acme/private', { 'a.txt': 'a' });
    host.requireCredential('acme/private', { username: 'u', password: 'p' });
    expect((await call('public-branches', { owner: 'acme' })).body.code).toBe('VA001');
    expect((await call('public-branches', { vcsRepoUrl: 'https://example.org/a/b' })).body.code).toBe('VA001');
    expect((await call('public-branches', { vcsRepoUrl: 'file:///etc' })).body.code).toBe('VA001');
    expect((await call('public-branches', { owner: 'acme', repo: 'private' })).body.code).toBe('VA003');
  });
});
