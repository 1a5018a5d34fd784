import { expect } from 'vitest';
import { visit } from '../deploying.ts';
import { until } from '../platform.ts';
import type { Scene } from './scene.ts';

/** Of the 512 MiB that it would have had if nobody had chosen less. */
const LESS_THAN_USUAL_MIB = 400;

/** Steps about what a server says, and about its end. */

export async function isHeard(scene: Scene): Promise<void> {
  const { deployer, server } = scene;
  const { client, targetOrganisationId } = deployer;
  const stopping = new AbortController();
  const seen: { message: string; instance: string | null }[] = [];
  const following = (async () => {
    const params = { targetOrganisationId, environmentId: server.environmentId };
    const events = client.stream('logs.stream', { params, query: {}, signal: stopping.signal });
    for await (const { data } of events) if (data.message.startsWith('live word ')) seen.push(data);
  })();
  let said = 0;
  await until('it is heard as it speaks', async () => {
    await visit(server.url, `/say?text=live%20word%20${++said}`);
    return seen.length > 0;
  });
  stopping.abort();
  await following;
  const instance = (await visit(server.url, '/instance')).body;
  expect(seen[0]).toMatchObject({ instance, message: expect.stringMatching(/^live word \d+$/) });
  for (let number = 1; number <= said; number++) {
    expect(await findInLog(scene, `live word ${number}`)).toMatch(/^20[\d-]+T[\d:.]+Z INFO live word /);
  }
}

export async function comesBackAfterCrash(scene: Scene): Promise<void> {
  const before = (await visit(scene.server.url, '/instance')).body;
  await visit(scene.server.url, '/crash');
  await comesAnother(scene, before);
  const told = await findInLog(scene, 'exit code 3');
  expect(told).toContain(' ERROR ');
  expect(told).toContain(before);
}

export async function isKeptWithinItsMemory(scene: Scene): Promise<void> {
  const before = (await visit(scene.server.url, '/instance')).body;
  await visit(scene.server.url, '/leak');
  await comesAnother(scene, before);
  const told = await findInLog(scene, 'out of memory');
  expect(told).toMatch(/ ERROR .*limit 256Mi/);
  expect(told).toContain(before);
  const { deployment_logs } = await scene.deployer.newest(scene.server);
  expect(deployment_logs.join('\n')).toContain('ran out of memory (limit 256Mi)');
  const held = (await search(scene, 'holding ')).map((line) => Number(/holding (\d+) MiB/.exec(line)?.[1] ?? 0));
  expect(Math.max(...held)).toBeGreaterThan(128);
  expect(Math.max(...held)).toBeLessThan(LESS_THAN_USUAL_MIB);
}

/** Answered by an instance that was not there before. */
async function comesAnother({ server }: Scene, before: string): Promise<void> {
  await until('another instance answers', async () => {
    const { status, body } = await visit(server.url, '/instance');
    return status === 200 && body !== before;
  });
}

async function findInLog(scene: Scene, text: string): Promise<string> {
  let lines: string[] = [];
  await until(`"${text}" is in the log`, async () => {
    lines = await search(scene, text);
    return lines.length > 0;
  });
  return lines[0]!;
}

async function search({ deployer, server }: Scene, textSearch: string): Promise<string[]> {
  const { client, targetOrganisationId } = deployer;
  const body = { targetOrganisationId, environmentId: server.environmentId, filters: { textSearch } };
  return client.call('logs.search', { body });
}
