import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import type { Reach } from './init/agreement.ts';
import { ReachTelling } from './reach-telling.ts';
import type { SeenInstance } from './swarm-view.ts';
import type { SwarmWorld } from './swarm-world.ts';

it('a task is told until it knows, once and not again, and nothing while nobody knows what is true or who leads', async () => {
  const heard: number[][] = [];
  let isDeaf = true;
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const { doors: given } = JSON.parse(await text(request)) as Reach;
    if (!isDeaf) heard.push(given);
    response.writeHead(isDeaf ? 500 : 200).end('null');
  };
  const task = createServer((...call) => void hear(...call)).listen(0, '127.0.0.1');
  await once(task, 'listening');
  const { port: controlPort } = task.address() as AddressInfo;
  let doors: number[] | null = null;
  const reaches = {
    isKnown: () => doors !== null,
    of: async () => ({ cluster: [], edges: { addresses: [], ports: [] }, host: '10.0.0.1', doors: doors ?? [] }),
  };
  let isLeading = true;
  const leadership = { isHeld: () => isLeading };
  const world = { reaches, leadership, log: silentLog, controlKey: Buffer.alloc(32) } as unknown as SwarmWorld;
  const claim = { taskId: 'task', instanceId: 'ins_1', host: '127.0.0.1', controlPort };
  const service = { Spec: { Name: 'lilac-1', Labels: {} } };
  const seen = [{ claim, service, isLive: true } as unknown as SeenInstance];
  const telling = new ReachTelling(world);
  try {
    isDeaf = false;
    await telling.tell(seen);
    [doors, isDeaf] = [[1], true];
    await telling.tell(seen);
    expect(heard).toEqual([]);
    isDeaf = false;
    await telling.tell(seen);
    await telling.tell(seen);
    expect(heard).toEqual([[1]]);
    [doors, isLeading] = [[1, 2], false];
    await telling.tell(seen);
    expect(heard).toEqual([[1]]);
    isLeading = true;
    await telling.tell(seen);
    // A new one may be where a former one was.
    await telling.tell([]);
    await telling.tell(seen);
    expect(heard).toEqual([[1], [1, 2], [1, 2]]);
  } finally {
    task.close();
    task.closeAllConnections();
  }
});
