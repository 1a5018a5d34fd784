import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { writeLink } from './link.ts';

const shop = {
  id: 'app_1',
  name: 'Shop',
  slug: 'shop',
  url: 'http://shop.x',
  status: 'healthy',
  production_environment_id: 'env_1',
};
const blog = {
  ...shop,
  id: 'app_2',
  name: 'Blog',
  slug: 'blog',
  url: 'http://blog.x',
  production_environment_id: 'env_3',
};
const production = {
  id: 'env_1',
  application_id: 'app_1',
  name: 'production',
  is_production: true,
  url: 'http://shop.x',
};
const staging = { ...production, id: 'env_2', name: 'staging', is_production: false, url: 'http://staging.x' };

async function startWorld() {
  const platform = await startPlatformDouble({
    '/api/applications': { body: { items: [shop, blog], totalItems: 2, totalPages: 1, currentPage: 1 } },
    '/api/applications/get': { body: shop },
    '/api/applications/lookup/staging-shop': { body: { id: 'app_1', name: 'Shop', environment_id: 'env_2', url: '' } },
    '/api/applications/lookup/nothing': { status: 404, body: { message: 'Not found.', code: 'NF001' } },
    '/api/environments': { body: [production, staging] },
    '/api/environments/get': { body: staging },
    '/api/environments/status': { body: { id: 'env', status: 'healthy' } },
    '/api/environments/delete': { body: { message: 'Deleting.' } },
    '/api/environments/create': { body: { id: 'env_9' } },
  });
  const folder = temporaryFolder();
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  return {
    ...platform,
    folder: folder.path,
    link: () =>
      writeLink(folder.path, {
        apiUrl: platform.url,
        organisationId: undefined,
        applicationId: 'app_1',
        environmentId: 'env_1',
      }),
    run: (line: string, typed?: string[]) =>
      lilac(line, environment, { cwd: folder.path, ...(typed && { typed, isTerminal: true }) }),
    lastBody: () => platform.received.at(-1)?.body,
    [Symbol.dispose]() {
      platform[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe('what a command is about', () => {
  it('is an id, the name or slug of an application, or a subdomain', async () => {
    using world = await startWorld();
    for (const [named, environmentId] of [
      ['env_7', 'env_7'],
      ['shop', 'env_1'],
      ['BLOG', 'env_3'],
      ['staging-shop', 'env_2'],
    ]) {
      expect(await world.run(`envs status ${named}`)).toMatchObject({ exitCode: 0 });
      expect(world.lastBody()).toEqual({ environmentId });
    }
    await world.run('apps get shop');
    expect(world.lastBody()).toEqual({ applicationId: 'app_1' });
  });

  it('is the linked environment when left out, from every folder below', async () => {
    using world = await startWorld();
    world.link();
    await world.run('envs status');
    expect(world.lastBody()).toEqual({ environmentId: 'env_1' });
    mkdirSync(join(world.folder, 'src'));
    const environment = { LILAC_API_URL: world.url, LILAC_TOKEN: 'lc_key' };
    const { err } = await lilac('envs status', environment, { cwd: join(world.folder, 'src'), isTerminal: true });
    expect(world.lastBody()).toEqual({ environmentId: 'env_1' });
    expect(err).toContain(`As ${join(world.folder, 'lilac.json')} links it:`);
  });

  it('is not what was meant for another argument', async () => {
    using world = await startWorld();
    world.link();
    const { exitCode, err } = await world.run('metrics 99y');
    expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining('is one of 1h, 6h, 24h, 7d') });
  });

  it('is another environment of the application with --env', async () => {
    using world = await startWorld();
    world.link();
    for (const line of ['envs status --env staging', '--env Staging envs status shop']) {
      await world.run(line);
      expect(world.lastBody()).toEqual({ environmentId: 'env_2' });
    }
    const { exitCode, err } = await world.run('envs status --env test');
    expect(exitCode).toBe(2);
    expect(err).toContain('It has: production, staging.');
  });

  it('leaves the words that are given to the other arguments', async () => {
    using world = await startWorld();
    world.link();
    await world.run('envs create test main');
    expect(world.lastBody()).toEqual({ applicationId: 'app_1', name: 'test', vcsBranch: 'main' });
  });

  it('has to be named for what cannot be taken back', async () => {
    using world = await startWorld();
    world.link();
    expect(await world.run('envs delete')).toMatchObject({ exitCode: 2 });
    expect(world.received).toEqual([]);
  });

  it('is not what is linked at another platform', async () => {
    using world = await startWorld();
    writeLink(world.folder, {
      apiUrl: 'https://x.org',
      organisationId: undefined,
      applicationId: 'app_1',
      environmentId: 'env_1',
    });
    const { exitCode, err } = await world.run('envs status');
    expect(exitCode).toBe(2);
    expect(err).toContain('lilac link');
  });

  it('is asked for with both ways to say it', async () => {
    using world = await startWorld();
    expect((await world.run('envs status')).err).toContain('Name it, or link this folder with "lilac link".');
    expect((await world.run('envs status nothing')).err).toContain('There is no application "nothing".');
  });
});

describe('lilac link', () => {
  it('writes what it is about, no secret, and no organisation where a key does not know it', async () => {
    using world = await startWorld();
    expect(await world.run('link shop --env staging')).toMatchObject({
      exitCode: 0,
      out: 'This folder is linked to Shop (staging), http://staging.x.\n',
    });
    expect(JSON.parse(readFileSync(join(world.folder, 'lilac.json'), 'utf8'))).toEqual({
      apiUrl: world.url,
      applicationId: 'app_1',
      environmentId: 'env_2',
    });
  });

  it('lets a person pick, and asks nobody else', async () => {
    using world = await startWorld();
    const { err } = await world.run('link', ['2']);
    expect(err).toContain('  1  Shop  http://shop.x\n  2  Blog  http://blog.x\n');
    expect(readFileSync(join(world.folder, 'lilac.json'), 'utf8')).toContain('app_2');
    expect(await world.run('link')).toMatchObject({ exitCode: 2 });
    expect(await world.run('init')).toMatchObject({ exitCode: 2 });
  });

  it('is undone by unlink', async () => {
    using world = await startWorld();
    world.link();
    expect((await world.run('unlink')).out).toContain('Took the link out of');
    expect((await world.run('unlink')).out).toBe('This folder is not linked.\n');
  });
});

describe('lilac open', () => {
  it('prints the address; in a console, the page of it there', async () => {
    using world = await startWorld();
    world.link();
    expect((await world.run('open --env staging')).out).toBe('http://staging.x\n');
    expect((await world.run('open --console')).out).toBe(`${world.url}/environments/env_2\n`);
    expect(JSON.parse((await world.run('open --json')).out)).toEqual({ url: 'http://staging.x', isOpened: false });
  });
});
