import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@lilac/contract/client';
import { standingOf } from '@lilac/contract/domain-steps';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandRun } from '../frame/own-command.ts';
import { progressLines, type DomainState } from './render-domain.ts';

/** Soon at first: what the platform can do by itself takes a moment. */
const FIRST_PAUSE_MS = 500;
/** The platform looks at the records no more often. */
const LONGEST_PAUSE_MS = 3000;

interface Following {
  first: DomainState;
  check: () => Promise<DomainState>;
  timeoutSeconds: number;
  /** The command that shows how far it is later. */
  checkCommand: string;
}

/**
 * Tells every step as it is reached, until the domain is served; throws when it will not be without somebody's doing.
 */
export async function followDomain(run: CommandRun, following: Following): Promise<DomainState> {
  const { first, check, timeoutSeconds, checkCommand } = following;
  const deadline = Date.now() + timeoutSeconds * 1000;
  let state = first;
  let told: readonly string[] = [];
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const lines = progressLines(state, run.paper);
    for (const line of lines) if (!run.isJson && !told.includes(line)) await run.print(`${line}\n`);
    told = lines;
    if (isOver(state)) return state;
    if (Date.now() >= deadline) {
      throw new GaveUp(`Stopped waiting. The platform goes on by itself; see how far it is: ${checkCommand}`);
    }
    state = await pausedCheck(run, { pause, check, state });
  }
}

/**
 * Where there is nothing that a record could lead to, whoever runs the platform has to do something first: the state's
 * error says what.
 */
function isOver(state: DomainState): boolean {
  const standing = standingOf(state);
  return standing === 'unaddressed' || standing === 'none' || standing === 'failed' || isThere(state);
}

/** All that the platform can do for it is done. */
export function isThere(state: DomainState): boolean {
  const standing = standingOf(state);
  return standing === 'served' || standing === 'proxied';
}

async function pausedCheck(
  { signal }: CommandRun,
  { pause, check, state }: { pause: number; check: () => Promise<DomainState>; state: DomainState },
): Promise<DomainState> {
  try {
    await delay(pause, undefined, signal && { signal });
    return await check();
  } catch (error) {
    if (signal?.aborted) throw new GaveUp('Stopped waiting. The platform goes on by itself.');
    if (isRefusal(error)) throw error;
    return state;
  }
}

/** A platform that restarts or a network that fails is there again soon. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}
