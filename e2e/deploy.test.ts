import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHost, type GitHost } from '../server/src/testing/git-host.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, readExample, visit, type Deployer, type Files } from './deploying.ts';
import { startPlatform, type Platform } from './platform.ts';

/** Real projects, from a git host and from an archive: served, deployed again, rolled back. */
let platform: Platform;
let host: GitHost;
let deployer: Deployer;

beforeAll(async () => {
  host = await startGitHost();
  platform = await startPlatform({ env: { LILAC_VCS_URL: host.url, LILAC_RATE_LIMIT: '1000000' } });
  deployer = createDeployer(platform, await createAccount(platform));
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
});

interface Project {
  example: string;
  rootDirectory?: string;
  /** A source file that shows on the page, and words in it to replace. */
  edit: { path: string; from: string };
  /** Where the words are found: the page itself, or a file that it names. */
  seenIn: 'page' | 'script';
}

const projects: Project[] = [
  { example: 'html', edit: { path: 'index.html', from: 'Hello from a folder of HTML' }, seenIn: 'page' },
  { example: 'vite-react', edit: { path: 'src/app.jsx', from: 'Hello from Vite and React' }, seenIn: 'script' },
  { example: 'astro', edit: { path: 'src/pages/index.astro', from: 'Hello from Astro' }, seenIn: 'page' },
  { example: 'eleventy', edit: { path: 'src/index.njk', from: 'Hello from Eleventy' }, seenIn: 'page' },
  {
    example: 'pnpm-monorepo',
    rootDirectory: 'apps/web',
    edit: { path: 'packages/greetings/src/index.js', from: 'from a package beside this one' },
    seenIn: 'script',
  },
];

describe.each(projects)('$example', ({ example, rootDirectory, edit, seenIn }) => {
  const changed = (files: Files): Files => {
    const text = files[edit.path]?.toString() ?? '';
    expect(text).toContain(edit.from);
    return { ...files, [edit.path]: text.replaceAll(edit.from, 'Something new') };
  };
  const shows = async (url: string, words: string) => {
    const page = await visit(url);
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } });
    if (seenIn === 'page') return expect(page.body).toContain(words);
    const script = /<script[^>]+src="([^"]+\.js)"/.exec(page.body)?.[1];
    const answer = await visit(url, script);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toContain('immutable');
    return expect(answer.body).toContain(words);
  };

  it('is served from a repository, follows a new commit, and rolls back', async () => {
    const files = await readExample(example);
    const repository = `acme/${example}`;
    const firstSha = await host.createRepository(repository, files);
    const application = await deployer.createFromRepository(`Git ${example}`, `${host.url}/${repository}`, {
      rootDirectory,
    });
    const first = await deployer.healthy((await deployer.newest(application)).id);
    expect(first).toMatchObject({ commit_sha: firstSha, deployment_stage: 'released', is_live: true });
    await shows(application.url, edit.from);

    const secondSha = await host.commit(repository, { files: changed(files), message: 'Say something new' });
    const second = await deployer.healthy(await deployer.deploy(application));
    expect(second).toMatchObject({ commit_sha: secondSha, commit_message: 'Say something new' });
    await shows(application.url, 'Something new');

    await deployer.rollBack(application, first.id);
    await deployer.healthy(first.id);
    await shows(application.url, edit.from);
  });

  it('is served from an archive, follows a new one, and rolls back', async () => {
    // An archive has no rootDirectory: a workspace with one application in it is deployed as it is.
    const files = await readExample(example);
    const application = await deployer.createFromFiles(`Zip ${example}`, files);
    const first = await deployer.healthy((await deployer.newest(application)).id);
    await shows(application.url, edit.from);
    await deployer.healthy(await deployer.deploy(application, changed(files)));
    await shows(application.url, 'Something new');
    await deployer.rollBack(application, first.id);
    expect(await deployer.healthy(first.id)).toMatchObject({ is_live: true, commit_sha: null });
    await shows(application.url, edit.from);
  });
});
