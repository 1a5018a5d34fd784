import { ConfigError, loadConfig, type Config } from '../config.ts';
import { collectAtRest } from '../lib/collect-at-rest.ts';
import { createLog, type Log } from '../lib/log.ts';
import { roleNames, SAYS_ALIVE_EVERY_MS, type RoleName } from '../supervisor/role-messages.ts';
import { StartRefused } from '../supervisor/start-refused.ts';
import { connectToSupervisor, keepCompiled, untilAborted, type Lifeline } from './lifeline.ts';

export interface RoleContext {
  config: Config;
  log: Log;
  lifeline: Lifeline;
  /** Which of several processes of the role this is: its successor has the same. */
  place: number;
}

/** Ends a role: finishes what is under way. Takes no longer than it must, for it is killed in the end. */
export type StopRole = () => Promise<void>;

/** As long as the supervisor's patience, for when there is no supervisor any more. */
const STOP_LIMIT_MS = 4500;

/**
 * The worker looks after all that runs, even while nothing happens. An edge that is busy for more has hundreds of
 * requests a second.
 */
const REST_SHARES: Record<RoleName, number> = { api: 0.05, worker: 0.05, edge: 0.01 };

/** One process of a role, from the supervisor's start to its word to stop. */
export async function runRole([name, place = '0']: readonly string[]): Promise<never> {
  const role = roleNames.find((each) => each === name);
  if (!role) throw new Error(`There is no role "${name}".`);
  const lifeline = connectToSupervisor();
  lifeline.signal.addEventListener('abort', () => setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref());
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, role });
  tellOfCrashes(log);
  try {
    const stop = await startRole(role, { config, log, lifeline, place: Number(place) });
    await lifeline.send({ type: 'ready' });
    setInterval(() => void lifeline.send({ type: 'alive' }), SAYS_ALIVE_EVERY_MS).unref();
    keepCompiled();
    collectAtRest({ restShare: REST_SHARES[role] });
    await untilAborted(lifeline.signal);
    await stop();
  } catch (error) {
    const isRefusal = error instanceof StartRefused || error instanceof ConfigError;
    if (isRefusal) await lifeline.send({ type: 'refused', message: error.message });
    else if (!lifeline.signal.aborted) log.error({ err: error }, 'Could not start');
    else if (!isAbort(error)) log.debug({ err: error }, 'Could not finish everything');
    process.exit(lifeline.signal.aborted ? 0 : 1);
  }
  // All is finished; a timer that somebody forgot is no reason to stay.
  process.exit(0);
}

/**
 * A mistake of ours that nobody caught ends the process, as it should; why is a line like any other, without secrets.
 */
function tellOfCrashes(log: Log): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'The process ends: something nobody expected');
    process.exit(1);
  });
}

/** Told to stop while it waited for something: nothing went wrong. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

async function startRole(role: RoleName, context: RoleContext): Promise<StopRole> {
  if (role === 'api') return (await import('./api.ts')).startApi(context);
  if (role === 'worker') return (await import('./worker.ts')).startWorker(context);
  return (await import('./edge.ts')).startEdge(context);
}
