import { expect, it } from 'vitest';
import { startTestEdge } from '../testing/start-test-edge.ts';

it('an edge that is told to stop answers who had connected before, though it had not looked yet', async () => {
  const edge = await startTestEdge((_request, response) => response.end('api'));
  const ask = () => edge.sendRaw('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const answers = Array.from({ length: 20 }, ask);
  // By then the kernel has the connections, and the edge has none.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const stopped = edge.stop(2000);
  for (const answer of answers) expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  await stopped;
});
