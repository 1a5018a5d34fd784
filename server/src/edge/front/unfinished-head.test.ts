import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { startTestEdge } from '../../testing/start-test-edge.ts';

afterEach(() => vi.useRealTimers());

it('408 when a head is not whole 15 seconds after its first byte, however steadily it comes, and not long before', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const edge = await startTestEdge(null);
  // Who asks afterwards is answered afterwards: by then the edge has what was sent before.
  const settle = async () => expect(await edge.sendRaw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  const slow = edge.openRaw('GET / HTTP/1.1\r\nHost: ');
  const answer = text(slow);
  await settle();
  for (let second = 1; second <= 13; second++) {
    slow.write('x');
    vi.advanceTimersByTime(1000);
  }
  await settle();
  expect(slow.readableEnded || slow.bytesRead > 0).toBe(false);
  slow.write('x');
  await settle();
  vi.advanceTimersByTime(2000);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
});
