import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { openStream } from '../testing/open-stream.ts';
import { startStreaming } from '../testing/start-streaming.ts';
import { startTestEdge } from '../testing/start-test-edge.ts';

/** A real edge in front of a real api. */
async function startBoth() {
  const edge = await startTestEdge(null);
  const api = await startStreaming({ socketPath: edge.paths.apiSocket, streamTimes: { pingMs: 30, readmitMs: 50 } });
  const { token } = api.owner;
  const open = (lastEventId?: string) =>
    openStream({ port: edge.port, path: api.path, token, lastEventId, headers: { host: 'localhost' } });
  return { api, open };
}

describe('a stream behind the edge', () => {
  it('comes event by event, pings and all, and is over for the api when its client goes', async () => {
    const { api, open } = await startBoth();
    await using _ = api;
    const stream = await open();
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    for (const number of [1, 2, 3]) {
      await api.write(`line ${number}`);
      await stream.has(number);
    }
    await eventually('it pings', () => stream.text().includes(': ping'));
    const opened = await api.openConnections();
    stream.close();
    await eventually('the api has noticed', async () => (await api.openConnections()) < opened);
  });

  it('ends with its api, and goes on where it was with the next', async () => {
    const { api, open } = await startBoth();
    await using _ = api;
    const stream = await open();
    await api.write('before');
    await stream.has(1);
    await api.app.close();
    await stream.ended();
    expect(stream.text().endsWith('\n\n')).toBe(true);
    await api.write('between');
    await using _next = await api.startSuccessor();
    using again = await open(stream.lastEventId());
    await again.has(1);
    await api.write('after');
    await again.has(2);
    expect(again.events.map(({ data }) => (JSON.parse(data) as { message: string }).message)).toEqual([
      'between',
      'after',
    ]);
  });
});
