import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let isInterrupted = false;

/** Tidies up before a signal ends the process, once however often it is asked to end. Returns what forgets it. */
export function onInterrupt(tidyUp: () => Promise<void>): () => void {
  const interrupt = (signal: (typeof signals)[number]): void => {
    if (isInterrupted) return;
    isInterrupted = true;
    void tidyUp().finally(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of signals) process.on(signal, interrupt);
  return () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
}

/** Then a command that fails has had the ground taken from under it, and there is nothing to report. */
export function wasInterrupted(): boolean {
  return isInterrupted;
}
