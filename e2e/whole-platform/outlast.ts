import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { leftOf } from '../database-servers.ts';
import { visit } from '../deploying.ts';
import { killRole } from '../kill-role.ts';
import { until } from '../platform.ts';
import { serverApp } from '../server-app.ts';
import { databasesOf } from './keep-notes.ts';
import { instancesSeen } from './serve.ts';
import type { Scene } from './scene.ts';
import { CONNECTIONS, withLoad } from './with-load.ts';

/** Steps about the end: of the platform's own processes, and of everything that was made. */

/** What a killed edge had in its hands its clients ask for again; nothing else may close a connection. */
export async function outlastsEveryProcess(scene: Scene): Promise<void> {
  const before = await instancesSeen(scene);
  await withLoad(scene, 'kill -9 of the worker, the api and both edges', async (tally, goesOn) => {
    await killRole(scene.world.platform, 'worker', 0);
    await killRole(scene.world.platform, 'api', 0);
    expect(tally.closed).toBe(0);
    for (const index of [0, 1]) {
      await killRole(scene.world.platform, 'edge', index);
      // All are connected anew: who only waits to be let in has nothing to be asked again on.
      await goesOn();
    }
    expect(tally.closed).toBeLessThanOrEqual(2 * CONNECTIONS);
    expect(await instancesSeen(scene)).toEqual(before);
    await scene.deployer.healthy(await scene.deployer.deploy(scene.server, serverApp('three')));
  });
  expect((await visit(scene.server.url)).body).toBe('three');
  for (const [type] of databasesOf(scene)) {
    expect((await visit(scene.notes.url, `/${type}`)).body).toBe('first\nGrüße 🌷');
  }
}

/** Whoever finds nothing at last has found all of it before. */
export async function leavesNothing(scene: Scene): Promise<void> {
  const { deployer, databases, server, notes } = scene;
  const { client, targetOrganisationId } = deployer;
  for (const [kind, found] of Object.entries(await remainsOf(scene))) {
    expect({ kind, found }).not.toEqual({ kind, found: [] });
  }
  for (const { id: applicationId } of [server, notes]) {
    await client.call('applications.delete', { body: { targetOrganisationId, applicationId } });
  }
  await Promise.all(databasesOf(scene).map(([, id]) => databases.remove(id)));
  let remains: string[] = [];
  await until('nothing is left', async () => {
    remains = Object.values(await remainsOf(scene)).flat();
    return remains.length === 0;
  }).catch(() => {});
  expect(remains).toEqual([]);
  expect((await visit(server.url)).status).toBe(404);
}

const remainsOf = async ({ world, server, notes }: Scene): Promise<Record<string, string[]>> => ({
  'of the runtime': await world.listRemains(),
  'of databases': leftOf(world.platform.home),
  'of the server': processesTold(`LILAC_URL=${server.url}`),
  'of the notes': processesTold(`LILAC_URL=${notes.url}`),
});

/** Those on this machine that have the variable, whatever they are contained in. */
function processesTold(variable: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(variable))
    .map((pid) => `process ${pid}`);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
