/** Somebody pressed Ctrl-C, or the program was asked to end. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') {
    super(`Ended by ${signal}.`);
    this.exitCode = 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
  }
}

/** Rejects as soon as it happens. */
export function interruption(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const tell = () => {
      if (signal?.reason instanceof Interrupted) reject(signal.reason);
    };
    if (signal?.aborted) tell();
    signal?.addEventListener('abort', tell, { once: true });
  });
}
