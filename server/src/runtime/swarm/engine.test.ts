import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EngineSilent } from '../engine-client.ts';
import { SwarmEngine } from './engine.ts';

/** What an engine takes of the first line and the headers together. */
const MOST_ASKED = 1024 ** 2;

/** An engine with these services, a task in each; it refuses to list tasks of what it does not know. */
async function openEngine(services: Set<string>, silenceMs = 60_000) {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-swarm-engine-'));
  const socketPath = join(folder, 'docker.sock');
  const asked = { tasks: 0, services: 0 };
  let isSilent = false;
  let onTasks: (() => void) | undefined;
  const listServices = (): [number, unknown] => {
    asked.services += 1;
    return [200, [...services].map((ID) => ({ ID }))];
  };
  const listTasks = (filters: string): [number, unknown] => {
    asked.tasks += 1;
    onTasks?.();
    const { service } = JSON.parse(filters) as { service: string[] };
    const missing = service.find((id) => !services.has(id));
    if (missing) return [404, { message: `service ${missing} not found` }];
    return [200, service.map((id) => ({ ID: `task of ${id}`, ServiceID: id }))];
  };
  const server = createServer({ maxHeaderSize: MOST_ASKED }, (request, answer) => {
    if (isSilent) return;
    const { pathname, searchParams } = new URL(request.url!, 'http://engine');
    const [status, body] =
      pathname === '/services' ? listServices() : listTasks(searchParams.get('filters') ?? '{"service":[]}');
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(socketPath);
  await once(server, 'listening');
  return {
    asked,
    engine: new SwarmEngine(socketPath, 'platform', { silenceMs }),
    beforeTasks: (act: () => void) => void (onTasks = act),
    silence: () => void (isSilent = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As long as the swarm's own. */
const idOf = (index: number): string => `service${String(index).padStart(18, '0')}`;

it('the tasks of very many services are listed, in addresses that the engine takes', async () => {
  const ids = Array.from({ length: 40_000 }, (_, index) => idOf(index));
  await using bench = await openEngine(new Set(ids));
  const tasks = await bench.engine.tasks(ids);
  expect(tasks.map(({ ServiceID }) => ServiceID)).toEqual(ids);
  expect(bench.asked).toEqual({ tasks: 80, services: 0 });
});

it('services that are removed meanwhile have none, and nobody asks for every other one by itself', async () => {
  const ids = Array.from({ length: 1200 }, (_, index) => idOf(index));
  const services = new Set(ids);
  await using bench = await openEngine(services);
  services.delete(idOf(3));
  // Another goes while the list is asked for again.
  bench.beforeTasks(() => bench.asked.tasks === 2 && services.delete(idOf(4)));
  const tasks = await bench.engine.tasks(ids);
  expect(tasks).toHaveLength(1198);
  expect(bench.asked).toEqual({ tasks: 5, services: 2 });
  expect(await bench.engine.tasks([idOf(3)])).toEqual([]);
  expect(await bench.engine.tasks([])).toEqual([]);
});

it('an engine that hangs is given up', async () => {
  await using bench = await openEngine(new Set(), 200);
  bench.silence();
  await expect(bench.engine.services()).rejects.toBeInstanceOf(EngineSilent);
  await expect(bench.engine.change('service', async () => null)).rejects.toBeInstanceOf(EngineSilent);
});
