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
    asked.once('error', (error) => reject(Object.assign(error, { isReused: asked.reusedSocket })));
    asked.end();
  });
}

/**
 * Visitors of an application, until its end; then what it came to. Each goes to the first machine, and where that takes
 * no connection, or closes one that it had kept, to the next: as a balancer in front of them does.
 */
export function loadMachines(addresses, { url, path = '/', words }) {
  const agents = new Map(addresses.map((address) => [address, new Agent({ keepAlive: true })]));
  const tally = { requests: 0, elsewhere: 0, failures: [] };
  const ending = new AbortController();
  let inFlight = 0;
  const visit = async ([address, ...others] = addresses) => {
    try {
      return await callMachine(address, url, path, agents.get(address));
    } catch (error) {
      if (!isUntaken(error) || others.length === 0) throw error;
      tally.elsewhere++;
      return visit(others);
    }
  };
  const client = async () => {
    while (!ending.signal.aborted) {
      inFlight++;
      const problem = await visit().then(
        ({ status, body }) => (body === words ? null : `${status} ${body.slice(0, 80)}`),
        (error) => error.message,
      );
      inFlight--;
      tally.requests++;
      if (problem !== null) tally.failures.push(problem);
      await delay(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CONNECTIONS }, client);
  return {
    tally,
    inFlight: () => inFlight,
    async end() {
      ending.abort();
      await Promise.all(clients);
      for (const agent of agents.values()) agent.destroy();
      return tally;
    },
  };
}

/** Nobody has answered a byte, and nobody was asked: it may be asked elsewhere. */
const isUntaken = ({ syscall, code, isReused }) => syscall === 'connect' || (isReused && code === 'ECONNRESET');

export function describeTally({ requests, elsewhere, failures }) {
  const reasons = [...new Set(failures)].slice(0, 5).join(' | ');
  return `${requests} requests, ${elsewhere} taken by the next machine, ${failures.length} failed ${reasons}`.trim();
}
