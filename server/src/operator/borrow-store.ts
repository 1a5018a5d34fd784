import { pathsOf, type Config } from '../config.ts';
import { lock } from '../lib/file-lock.ts';
import { findRunning, startEmbeddedStore, stopEmbeddedStore } from '../store/embedded-store.ts';
import { ensureStorePassword } from '../store/store-address.ts';
import { onInterrupt } from './interruption.ts';
import { isHeld } from './is-held.ts';

export type GiveBack = () => Promise<void>;

const TURN_TIMEOUT_MS = 120_000;

/**
 * Makes sure that the embedded store runs until it is given back. One that runs already is left
 * running; one that was started for the command is stopped after it, also on Ctrl-C.
 */
export async function borrowEmbeddedStore(config: Config): Promise<GiveBack> {
  const paths = pathsOf(config);
  if (isHeld(paths.supervisorLock) && findRunning({ directory: paths.store })) return () => Promise.resolve();
  const borrowing = startForCommand(config);
  const stopListening = onInterrupt(() => borrowing.then((giveBack) => giveBack()));
  try {
    const giveBack = await borrowing;
    return () => giveBack().finally(stopListening);
  } catch (error) {
    stopListening();
    throw error;
  }
}

/** Commands take turns, so that none stops the store under another. */
async function startForCommand(config: Config): Promise<GiveBack> {
  const paths = pathsOf(config);
  const endTurn = await lock(paths.operatorLock, TURN_TIMEOUT_MS);
  try {
    const password = ensureStorePassword(paths.storePassword);
    const running = await startEmbeddedStore({ directory: paths.store, logFile: paths.storeLog, password });
    return async () => {
      // A supervisor that came meanwhile has adopted it.
      if (!running.adopted && !isHeld(paths.supervisorLock)) await stopEmbeddedStore(running.process);
      endTurn();
    };
  } catch (error) {
    endTurn();
    throw error;
  }
}
