import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { listenRaw, SWITCHING_PROTOCOLS } from '../testing/listen-raw.ts';
import { answerOf, bodyOf } from './answer-of.ts';

const WITHIN_MS = 300;
const OK = 'HTTP/1.1 200 OK\r\n';

/** What becomes of a question that is answered in this way. */
async function ask(answer: (socket: Socket) => void, agent: Agent | false = false): Promise<string> {
  const port = await listenRaw(answer);
  const signal = AbortSignal.timeout(WITHIN_MS);
  const asked = request({ host: '127.0.0.1', port, agent, signal });
  asked.end();
  const answered = answerOf(asked, { signal }).then((response) => bodyOf(response, { signal, maxBytes: 100 }));
  const told = answered.then(String, (error: Error) => `${error.name}: ${error.message}`);
  return Promise.race([told, delay(10 * WITHIN_MS, 'nothing is known of it')]);
}

it.each<[string, (socket: Socket) => void, RegExp]>([
  ['an answer', (socket) => socket.end(`${OK}content-length: 4\r\n\r\nwell`), /^well$/],
  ['an answer after others that are none', (socket) => socket.end(`HTTP/1.1 103 Early\r\n\r\n${OK}\r\nwell`), /^well$/],
  ['another protocol', (socket) => socket.write(SWITCHING_PROTOCOLS), /101/],
  ['another protocol, and its end', (socket) => socket.end(SWITCHING_PROTOCOLS), /101/],
  ['nothing', () => {}, /Timeout/],
  ['the end', (socket) => socket.end(), /hang up/],
  ['a connection that breaks', (socket) => socket.resetAndDestroy(), /ECONNRESET/],
  ['what is no answer', (socket) => socket.end('hello\r\n\r\n'), /Parse Error/],
  ['no end of what is no answer', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), /Timeout/],
  ['half a head', (socket) => socket.write(`${OK}content-le`), /Timeout/],
  ['half a body', (socket) => socket.write(`${OK}content-length: 4\r\n\r\nwe`), /Timeout|abort/i],
  ['a broken body', (socket) => socket.end(`${OK}content-length: 4\r\n\r\nwe`), /abort/],
  ['a body without an end', (socket) => drip(socket, 'x', `${OK}\r\n`), /Timeout|abort/i],
  ['too large a body', (socket) => socket.end(`${OK}\r\n${'x'.repeat(1000)}`), /too large/],
])('%s settles it', async (_what, answer, told) => {
  expect(await ask(answer)).toMatch(told);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  expect(await ask(answer, agent)).toMatch(told);
});

it('so does a signal that is aborted before it is asked, and one that is aborted while it waits for a connection', async () => {
  const asked = request({ createConnection: () => undefined, signal: AbortSignal.abort(new Error('not wanted')) });
  await expect(answerOf(asked, { signal: AbortSignal.abort(new Error('not wanted')) })).rejects.toThrow('not wanted');
  const waiting = request({ createConnection: () => undefined });
  await expect(answerOf(waiting, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
});

function drip(socket: Socket, piece: string, first = ''): void {
  socket.write(first);
  const timer = setInterval(() => void socket.write(piece), 20);
  socket.once('close', () => clearInterval(timer));
}
