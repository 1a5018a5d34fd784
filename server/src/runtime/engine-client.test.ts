import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asRefusal } from './docker/engine.ts';
import { isAway } from './docker/engine-errors.ts';
import { EngineSilent, engineClient } from './engine-client.ts';

const SILENCE_MS = 200;

async function openEngine(answer: RequestListener, silenceMs = SILENCE_MS) {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-engine-client-'));
  const socketPath = join(folder, 'docker.sock');
  const server = createServer(answer).listen(socketPath);
  await once(server, 'listening');
  return {
    socketPath,
    client: engineClient(socketPath, silenceMs),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe('an engine that takes connections and says nothing', () => {
  it('is given up by whoever asks for something to be done, as one that is away', async () => {
    await using engine = await openEngine(() => {});
    const { client, socketPath } = engine;
    const asked = [
      client.createContainer({ Image: 'x' }),
      client.getContainer('x').start(),
      client.getContainer('x').remove({ force: true }),
      client.listServices(),
      client.listTasks({ filters: '{}' }),
      client.ping(),
    ];
    const ends = await Promise.allSettled(asked);
    for (const end of ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: expect.any(EngineSilent) });
      const { reason } = end as PromiseRejectedResult;
      expect(isAway(reason)).toBe(true);
      expect((asRefusal(reason, socketPath) as Error).message).toContain('does not answer');
    }
  });

  it('in the middle of an answer is given up too', async () => {
    await using engine = await openEngine((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' }).write('[');
    });
    await expect(engine.client.listTasks()).rejects.toBeInstanceOf(EngineSilent);
  });
});

it('what happens in an engine may be waited for, and what it measures and builds, as long as it takes', async () => {
  await using engine = await openEngine((_, answer) => {
    setTimeout(() => answer.writeHead(200, { 'content-type': 'application/json' }).end('[]'), 3 * SILENCE_MS);
  });
  const { client } = engine;
  const events = await client.getEvents();
  events.resume();
  expect(await client.listContainers({ size: true })).toEqual([]);
  await client.getContainer('x').wait();
});

it('an answer in time is an answer, and who gives up asking is heard', async () => {
  await using engine = await openEngine((request, answer) => {
    if (request.url!.includes('_ping')) answer.end('OK');
  }, 60_000);
  expect(String(await engine.client.ping())).toBe('OK');
  const given = new AbortController();
  const asked = engine.client.listServices({ abortSignal: given.signal });
  given.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});
