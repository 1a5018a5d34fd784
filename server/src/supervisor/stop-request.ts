/** What ends the supervisor: a signal, or a failure that nobody but an operator can mend. */
export interface StopRequest {
  /** The exit code. */
  requested: Promise<number>;
  request(exitCode: number): void;
  [Symbol.dispose](): void;
}

/** Ctrl-C, a service manager, a closed terminal. Repeating one changes nothing. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export function listenForStop(): StopRequest {
  const { promise, resolve } = Promise.withResolvers<number>();
  const onSignal = () => resolve(0);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // Whoever started us for a person (npm start on an older Node) may be killed without a word.
  if (process.connected) process.once('disconnect', onSignal);
  return {
    requested: promise,
    request: resolve,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      process.off('disconnect', onSignal);
    },
  };
}
