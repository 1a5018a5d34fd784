import { request } from 'node:http';
import type { Fitness } from '../../jobs/leaderships.ts';
import { answerOf, bodyOf } from '../../lib/answer-of.ts';
import type { Log } from '../../lib/log.ts';
import { STACK_IMAGE } from '../stack-image.ts';

const LOOK_MS = 1000;
const ANSWER_MS = 3000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** An engine that is begun anew is back by then: as long as nobody is started, what runs goes on. */
const AWAY_MS = 10_000;
/**
 * An engine that answers, and whose swarm does not: its managers elect who leads them, as on every other host, so
 * nobody would do better. They begin after ten to twenty seconds of silence, and may not agree at once.
 */
const ELECTION_MS = 45_000;

/** What a manager of a swarm answers, and an engine that has what tasks are made of. */
const QUESTIONS = ['/swarm', `/images/${STACK_IMAGE}/json`];
/** What an engine answers by itself. */
const LIFE = '/_ping';
/** No election changes it. */
const LACK = /not a swarm manager|no such image/i;

export interface EngineWatch {
  fitness(): Fitness;
  close(): void;
}

export interface EngineWatchOptions {
  socketPath: string;
  log: Log;
  awayMs?: number;
  electionMs?: number;
}

/** Whether instances can be led from this host: what its engine says, or does not say. */
export async function watchEngine(options: EngineWatchOptions): Promise<EngineWatch> {
  const { socketPath, log, awayMs = AWAY_MS, electionMs = ELECTION_MS } = options;
  /** When all was well, and when the engine answered at all. */
  let lastAt: number | null = null;
  let aliveAt = -Infinity;
  let reason: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    const before = reason;
    reason = await whyNot(socketPath);
    if (reason === null) lastAt = performance.now();
    if (reason === null || (!LACK.test(reason) && (await isAlive(socketPath)))) aliveAt = performance.now();
    if (reason !== null && reason !== before)
      log.warn({ reason }, 'servers cannot be started from this host: its engine of Docker cannot be used');
    if (!isClosed) timer = setTimeout(() => void look(), LOOK_MS).unref();
  }

  await look();
  return {
    fitness() {
      if (reason === null) return 'fit';
      const nowMs = performance.now();
      const mayComeBack = lastAt !== null && nowMs - lastAt < electionMs && nowMs - aliveAt < awayMs;
      return mayComeBack ? 'unsure' : 'unfit';
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const isAlive = (socketPath: string): Promise<boolean> =>
  ask(socketPath, LIFE).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Null when everything is answered. */
async function whyNot(socketPath: string): Promise<string | null> {
  try {
    for (const path of QUESTIONS) {
      const { status, text } = await ask(socketPath, path);
      if (status !== 200) return `${path}: ${text.slice(0, 300)}`;
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function ask(socketPath: string, path: string): Promise<{ status: number; text: string }> {
  const limits = { signal: AbortSignal.timeout(ANSWER_MS), maxBytes: MAX_ANSWER_BYTES };
  const asked = request({ socketPath, path, agent: false, signal: limits.signal });
  asked.end();
  const response = await answerOf(asked, limits);
  return { status: response.statusCode ?? 500, text: (await bodyOf(response, limits)).toString() };
}
