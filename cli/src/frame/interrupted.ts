type Cause = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGPIPE';

/** Somebody pressed Ctrl-C, or the program was asked to end; SIGPIPE: nobody reads what it prints. */
export class Interrupted extends Error {
  override readonly cause: Cause;
  readonly exitCode: number;

  constructor(cause: Cause) {
    super(`Ended by ${cause}.`);
    this.cause = cause;
    this.exitCode = 128 + { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 }[cause];
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
