import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const CONNECTIONS = 6;
const PAUSE_MS = 20;

/** Asks one machine for what others are asked for, too. */
export function callMachine(address, url, path = '/', agent) {
  const { host } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port: 80, path, headers: { host }, agent, timeout: 30_000 });
    asked.once('response', (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer within 30 s')));
    asked.once('error', reject);
    asked.end();
  });
}

/** Visitors of an application at one machine, until its end; then what it came to. */
export function loadMachine(address, url, words) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const failures = [];
  const ending = new AbortController();
  let requests = 0;
  const visit = async () => {
    const { status, body } = await callMachine(address, url, '/', agent);
    if (body !== words) throw new Error(`${status} ${body.slice(0, 80)}`);
  };
  const client = async () => {
    while (!ending.signal.aborted) {
      await visit().catch((error) => failures.push(error.message));
      requests++;
      await delay(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CONNECTIONS }, client);
  return {
    async end() {
      ending.abort();
      await Promise.all(clients);
      agent.destroy();
      return `${requests} requests at ${address}, ${failures.length} failed ${[...new Set(failures)].join(' | ')}`;
    },
  };
}
