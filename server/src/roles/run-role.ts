import { ConfigError, loadConfig, type Config } from '../config.ts';
import { createLog, type Log } from '../lib/log.ts';
import { roleNames, type RoleName } from '../supervisor/role-messages.ts';
import { StartRefused } from '../supervisor/start-refused.ts';
import { connectToSupervisor, keepCompiled, untilAborted, type Lifeline } from './lifeline.ts';

export interface RoleContext {
  config: Config;
  log: Log;
  lifeline: Lifeline;
}

/** Ends a role: finishes what is under way. Takes no longer than it must, for it is killed in the end. */
export type StopRole = () => Promise<void>;

/** As long as the supervisor's patience, for when there is no supervisor any more. */
const STOP_LIMIT_MS = 4500;

/** One process of a role, from the supervisor's start to its word to stop. Returns the exit code. */
export async function runRole([name]: readonly string[]): Promise<number> {
  const role = roleNames.find((each) => each === name);
  if (!role) throw new Error(`There is no role "${name}".`);
  const lifeline = connectToSupervisor();
  lifeline.signal.addEventListener('abort', exitAnyway);
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, role });
  try {
    const stop = await startRole(role, { config, log, lifeline });
    lifeline.send({ type: 'ready' });
    keepCompiled();
    await untilAborted(lifeline.signal);
    await stop();
    return leave(0);
  } catch (error) {
    if (lifeline.signal.aborted) {
      log.debug({ err: error }, 'Left without finishing');
      return leave(0);
    }
    if (!(error instanceof StartRefused || error instanceof ConfigError)) throw error;
    lifeline.send({ type: 'refused', message: error.message });
    return leave(1);
  }
}

async function startRole(role: RoleName, context: RoleContext): Promise<StopRole> {
  if (role === 'api') return (await import('./api.ts')).startApi(context);
  if (role === 'worker') return (await import('./worker.ts')).startWorker(context);
  return (await import('./edge.ts')).startEdge(context);
}

/** The channel would keep the process alive. */
function leave(exitCode: number): number {
  if (process.connected) process.disconnect();
  exitAnyway();
  return exitCode;
}

/** A handle that somebody forgot, or a request that never ends, does not keep the role. */
function exitAnyway(): void {
  setTimeout(() => process.exit(), STOP_LIMIT_MS).unref();
}
