import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

async function startWorld() {
  const platform = await startPlatformDouble({
    '/api/applications/get': { body: { id: 'app_1', name: 'Shop', url: 'http://shop.x' } },
    '/api/applications/delete': { body: { message: 'Deleting.' } },
    '/api/environments/get': { body: { id: 'env_1', name: 'staging', url: 'http://staging.x' } },
    '/api/environments/delete': { body: { message: 'Deleting.' } },
    '/api/databases': {
      body: { items: [{ id: 'db_1', name: 'orders' }], totalItems: 1, totalPages: 1, currentPage: 1 },
    },
    '/api/databases/get': { body: { id: 'db_1', name: 'orders' } },
    '/api/databases/rotate-password': { body: { connectionString: 'postgres://x' } },
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  const run = (line: string, typed?: string[]) => lilac(line, environment, typed && { typed, isTerminal: true });
  return { ...platform, run, paths: () => platform.received.map(({ path }) => path) };
}

describe.each([
  ['apps delete app_1', 'Shop', '/api/applications/delete'],
  ['envs delete env_1', 'staging', '/api/environments/delete'],
])('lilac %s', (line, name, path) => {
  it('happens after the name was typed, or with --yes, and not otherwise', async () => {
    using world = await startWorld();
    expect(await world.run(line)).toMatchObject({ exitCode: 2, err: expect.stringContaining('Add --yes') });
    expect(await world.run(line, ['no'])).toMatchObject({ exitCode: 1 });
    expect(world.paths()).not.toContain(path);
    expect(await world.run(line, [name])).toMatchObject({ exitCode: 0 });
    expect(await world.run(`${line} --yes`)).toMatchObject({ exitCode: 0 });
    expect(world.paths().filter((each) => each === path)).toHaveLength(2);
  });
});

describe('lilac db rotate', () => {
  it('takes a name, and asks in a terminal', async () => {
    using world = await startWorld();
    expect(await world.run('db rotate Orders', ['n'])).toMatchObject({ exitCode: 1 });
    expect(world.paths()).not.toContain('/api/databases/rotate-password');
    expect(await world.run('db rotate orders', ['y'])).toMatchObject({ exitCode: 0 });
    expect(await world.run('db rotate orders')).toMatchObject({ exitCode: 0 });
    expect(world.received.at(-1)?.body).toEqual({ databaseId: 'db_1' });
  });
});
