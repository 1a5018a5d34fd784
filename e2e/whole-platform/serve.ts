import { expect } from 'vitest';
import { visit } from '../deploying.ts';
import { until } from '../platform.ts';
import { serverApp } from '../server-app.ts';
import { openWebSocket } from '../websocket.ts';
import { scale, type Scene } from './scene.ts';
import { withLoad } from './with-load.ts';

const MEMORY = '256Mi';
const ODD = 'a "quoted" $HOME \\ value\nwith lines, ünïcode ☂ and = signs';

/** Steps about what visitors see of a server. */

export async function answersVisitors({ server, firstId }: Scene): Promise<void> {
  expect(await visit(server.url)).toMatchObject({ status: 200, body: 'one' });
  const told = await variablesOf(server.url);
  expect(told).toMatchObject({ LILAC_URL: server.url, LILAC_ENVIRONMENT: 'production', LILAC_DEPLOYMENT_ID: firstId });
}

/** Variables and memory come with a release. Who talks to an instance by a WebSocket is told that it goes. */
export async function isReleased(scene: Scene): Promise<void> {
  const { deployer, server } = scene;
  const { client, targetOrganisationId } = deployer;
  const { environmentId } = server;
  const settings = { environmentVars: { ODD, PORT: '1', NODE_ENV: 'staging' }, memory: MEMORY };
  await client.call('environments.update', { body: { targetOrganisationId, environmentId, ...settings } });
  const echo = await openWebSocket(server.url);
  expect(await echo.say('hello')).toBe('hello');
  await withLoad(scene, 'a release', async (tally) => {
    expect((await variablesOf(server.url)).ODD).toBeUndefined();
    await deployer.healthy(await deployer.deploy(server, serverApp('two')));
    expect((await visit(server.url)).body).toBe('two');
    const told = await variablesOf(server.url);
    expect(told).toMatchObject({ ODD, NODE_ENV: 'staging' });
    expect(told.PORT).not.toBe('1');
    expect(tally.closed).toBe(0);
  });
  await until('the WebSocket is told', () => echo.closeCode() !== null || !echo.isOpen());
  expect(echo.closeCode()).toBe(1001);
}

export async function isRolledBack(scene: Scene): Promise<void> {
  const { deployer, server, firstId } = scene;
  const second = await deployer.newest(server);
  await withLoad(scene, 'two rollbacks', async (tally) => {
    for (const { id, body, odd } of [
      { id: firstId, body: 'one', odd: undefined },
      { id: second.id, body: 'two', odd: ODD },
    ]) {
      await deployer.rollBack(server, id);
      await deployer.healthy(id);
      expect((await visit(server.url)).body).toBe(body);
      expect((await variablesOf(server.url)).ODD).toBe(odd);
    }
    expect(tally.closed).toBe(0);
  });
}

export async function isScaled(scene: Scene): Promise<void> {
  await withLoad(scene, 'to three and back to one', async (tally) => {
    for (const count of [3, 1]) {
      await scale(scene, scene.server, [count, count]);
      await until(`${count} answer`, async () => (await instancesSeen(scene)).size === count);
    }
    expect(tally.closed).toBe(0);
  });
  const { client, targetOrganisationId } = scene.deployer;
  const { environmentId } = scene.server;
  const { status, min_instances, max_instances } = await client.call('environments.get', {
    body: { targetOrganisationId, environmentId },
  });
  expect({ status, min_instances, max_instances }).toEqual({ status: 'healthy', min_instances: 1, max_instances: 1 });
}

/** Visitors who come together, while nobody is there to serve them: another instance than before is. */
export async function wakesFromSleep(scene: Scene): Promise<void> {
  const [first, ...others] = await instancesSeen(scene);
  expect(others).toEqual([]);
  const seen = [first];
  // Of what sleeps nothing is counted, and of what does not sleep something is.
  expect(await scene.world.countRunning()).toBeGreaterThan(0);
  await scale(scene, scene.server, [0, 1]);
  for (let cycle = 0; cycle < 2; cycle++) {
    await until('all sleep', async () => (await scene.world.countRunning()) === 0);
    const pages = await Promise.all(Array.from({ length: 20 }, () => visit(scene.server.url)));
    expect(pages.filter(({ status, body }) => status !== 200 || body !== 'two')).toEqual([]);
    const woken = (await visit(scene.server.url, '/instance')).body;
    expect(seen).not.toContain(woken);
    seen.push(woken);
  }
  await scale(scene, scene.server, [1, 1]);
}

export async function instancesSeen({ server }: Scene): Promise<Set<string>> {
  const pages = await Promise.all(Array.from({ length: 30 }, () => visit(server.url, '/instance')));
  return new Set(pages.map(({ body }) => body));
}

async function variablesOf(url: string): Promise<Record<string, string>> {
  return JSON.parse((await visit(url, '/env')).body) as Record<string, string>;
}
