import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config.ts';

export interface EdgeProbe {
  config: Pick<Config, 'port' | 'bind'>;
  /** The environment's own. */
  host: string;
  token: string;
  withinMs: number;
  signal: AbortSignal;
}

/** Opens the way to the instances that are checked. */
export const PROBE_HEADER = 'x-lilac-probe';
/** On every answer that is an edge's own and not the application's. */
const ERROR_HEADER = 'x-lilac-error';
const ANSWER_WITHIN_MS = 10_000;
const NAP_MS = 50;

/**
 * Asks for the first page as a visitor would, through the public port. Null when the instance answered,
 * with whichever status; otherwise what to tell a person.
 */
export async function probeEdge(probe: EdgeProbe): Promise<string | null> {
  const deadline = performance.now() + probe.withinMs;
  for (;;) {
    const problem = await ask(probe, Math.min(ANSWER_WITHIN_MS, Math.max(1, deadline - performance.now())));
    probe.signal.throwIfAborted();
    if (problem === null) return null;
    if (performance.now() >= deadline) return `The new instance did not answer through the router: ${problem}.`;
    await delay(NAP_MS, undefined, { signal: probe.signal });
  }
}

function ask({ config, host, token, signal }: EdgeProbe, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = { host, accept: '*/*', 'user-agent': 'Lilac-Check', [PROBE_HEADER]: token };
    const asked = request({
      host: addressOf(config),
      port: config.port,
      path: '/',
      headers,
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]),
    });
    asked.once('response', (response) => {
      const error = response.headers[ERROR_HEADER];
      response.destroy();
      resolve(error === undefined ? null : `the router said ${String(error)}`);
    });
    asked.once('error', (error) => resolve(error.name === 'TimeoutError' ? 'it took too long' : error.message));
    asked.end();
  });
}

/** Who listens everywhere listens here. */
function addressOf({ bind }: Pick<Config, 'bind'>): string {
  return bind === '::' || bind === '0.0.0.0' ? '127.0.0.1' : bind;
}
