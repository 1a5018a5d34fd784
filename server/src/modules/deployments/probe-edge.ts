import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { answerOf } from '../../lib/answer-of.ts';
import type { EdgeAddress } from '../../routing/route-store.ts';

export interface EdgeProbe {
  /** Whom to ask, at each try. */
  chooseEdge: (attempt: number) => Promise<EdgeAddress>;
  /** The environment's own when it was last read, and how to read it again: it may be renamed meanwhile. */
  host: string;
  newHost: () => Promise<string>;
  /** Opens the way to the one instance that it names. */
  token: string;
  /** What must be answered well; null: `/`, and any answer will do. */
  healthPath: string | null;
  withinMs: number;
  /** Who answers with what is no answer for so long will not change. */
  brokenMs?: number;
  signal: AbortSignal;
}

interface Problem {
  text: string;
  /** The instance was reached, and what came was no answer. */
  isBroken: boolean;
  /** It might have answered, had there been more time. */
  isCutOff: boolean;
}

export const PROBE_HEADER = 'x-lilac-probe';
/** On every answer that is an edge's own and not the application's. */
const ERROR_HEADER = 'x-lilac-error';
const ANSWER_WITHIN_MS = 10_000;
const BROKEN_MS = 10_000;
const NAP_MS = 50;

/**
 * Asks as a visitor would, through the public port. Null when the instance answered; otherwise what to tell a person.
 */
export async function probeEdge(probe: EdgeProbe): Promise<string | null> {
  const { withinMs, brokenMs = BROKEN_MS, signal } = probe;
  const deadline = performance.now() + withinMs;
  let told: Problem | null = null;
  let { host } = probe;
  let brokenSince = Infinity;
  for (let attempt = 0; ; attempt++) {
    const edge = await probe.chooseEdge(attempt);
    const timeoutMs = Math.min(ANSWER_WITHIN_MS, Math.max(1, deadline - performance.now()));
    const problem = await ask({ ...probe, host, edge }, timeoutMs);
    signal.throwIfAborted();
    if (problem === null) return null;
    const nowMs = performance.now();
    if (!problem.isCutOff || told === null) told = problem;
    brokenSince = problem.isBroken ? Math.min(brokenSince, nowMs) : Infinity;
    if (nowMs >= deadline || nowMs - brokenSince >= brokenMs) return `The new instance failed its check: ${told.text}.`;
    await delay(NAP_MS, undefined, { signal });
    host = await probe.newHost();
  }
}

interface Question extends Pick<EdgeProbe, 'host' | 'token' | 'healthPath' | 'signal'> {
  edge: EdgeAddress;
}

async function ask(question: Question, timeoutMs: number): Promise<Problem | null> {
  const { edge, host, token, healthPath, signal } = question;
  const path = healthPath ?? '/';
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  const problem = (text: string, kind: Partial<Problem> = {}) => ({ text, isBroken: false, isCutOff: false, ...kind });
  const limits = { signal: AbortSignal.any([signal, timeout]) };
  const asked = request({
    host: addressOf(edge),
    port: edge.port,
    path,
    headers: { host, accept: '*/*', 'user-agent': 'Lilac-Check', [PROBE_HEADER]: token },
    agent: false,
    ...limits,
  });
  asked.end();
  try {
    const response = await answerOf(asked, limits);
    response.on('error', () => {}).destroy();
    const { statusCode = 0, headers } = response;
    const error = headers[ERROR_HEADER];
    if (error !== undefined)
      return problem(`${path} had no answer, the router said ${String(error)}`, { isBroken: true });
    if (healthPath === null || (statusCode >= 200 && statusCode < 400)) return null;
    return problem(`${path} answered with status ${statusCode}`);
  } catch (error) {
    if (!timeout.aborted) return problem((error as Error).message);
    const seconds = Math.max(1, Math.round(timeoutMs / 1000));
    return problem(`${path} did not answer within ${seconds} s`, { isCutOff: timeoutMs < ANSWER_WITHIN_MS });
  }
}

/** Who listens everywhere listens here. */
function addressOf({ bind }: EdgeAddress): string {
  return bind === '::' || bind === '0.0.0.0' ? '127.0.0.1' : bind;
}
