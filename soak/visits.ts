import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../bench/measuring/median.ts';

export interface Place {
  url: string;
  path: string;
  headers?: Record<string, string>;
  /** Left out, it is only looked at. */
  body?: string;
  /** Whether this is what is to be answered. */
  isRight: (body: string) => boolean;
}

/** Whom to visit, and by which name it is told. */
export type Places = Readonly<Record<string, Place>>;

export interface Visits {
  /** Of each place since the last time: how long half of the visits and 95 of 100 took at most, in milliseconds. */
  take(): Record<string, { p50: number; p95: number }>;
  /** What was answered instead, and how often. */
  failures(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const PAUSE_MS = 100;

/** Comes back to each place all the time, over a kept connection, and notes how long it waited. */
export function startVisits(places: Places): Visits {
  const waits = new Map<string, number[]>(Object.keys(places).map((name) => [name, []]));
  const stopping = new AbortController();
  const agent = new Agent({ keepAlive: true });
  const failures = new Map<string, number>();

  async function comeBack(name: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const problem = await visit(agent, places[name]!).catch((error: Error) => error.message);
      if (problem === null) waits.get(name)!.push(performance.now() - startedAt);
      else failures.set(`${name}: ${problem}`, (failures.get(`${name}: ${problem}`) ?? 0) + 1);
      await delay(PAUSE_MS);
    }
  }

  const visitors = Object.keys(places).map(comeBack);
  return {
    take() {
      const taken = [...waits].map(([name, ms]) => [name, { p50: waitOf(ms, 0.5), p95: waitOf(ms, 0.95) }] as const);
      for (const name of waits.keys()) waits.set(name, []);
      return Object.fromEntries(taken);
    },
    failures: () => failures,
    async stop() {
      stopping.abort();
      await Promise.all(visitors);
      agent.destroy();
    },
  };
}

/**
 * Null where all is well. Names below localhost are not resolved everywhere: the address is named apart from the host.
 */
function visit(agent: Agent, { url, path, headers, body, isRight }: Place): Promise<string | null> {
  const { host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const options = { agent, host: '127.0.0.1', port, path, method, headers: { host, ...headers } };
    const asked = request(options, (answer) => {
      const { statusCode } = answer;
      const problemWith = (found: string) =>
        statusCode === 200 && isRight(found) ? null : `${statusCode} ${found.slice(0, 120)}`;
      text(answer)
        .then((found) => resolve(problemWith(found)))
        .catch(reject);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

/** Where nobody was answered, there is no figure, and that is no flat one. */
function waitOf(waits: readonly number[], part: number): number {
  return waits.length === 0 ? Number.NaN : quantile(waits, part);
}
