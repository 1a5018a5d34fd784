import module from 'node:module';
import type { FromRole, ToRole } from '../supervisor/role-messages.ts';

/** A role's end of the channel to the supervisor. */
export interface Lifeline {
  /** Aborted when it is time to stop: the supervisor said so, or is gone. */
  signal: AbortSignal;
  /** Whether the whole platform stops, and not this process alone: known once the signal is aborted. */
  isFinal(): boolean;
  /** Settles when it is on its way, or when there is nobody to send it to. */
  send(message: FromRole): Promise<void>;
  onMessage(listener: (message: ToRole) => void): void;
}

export function connectToSupervisor(): Lifeline {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  let isFinal = false;
  // Ctrl-C reaches every process of the terminal; the supervisor then stops the roles in order.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
  process.on('message', (message: ToRole) => {
    if (message.type !== 'stop') return;
    isFinal = message.isFinal;
    stop();
  });
  if (!process.connected) stop();
  return {
    signal: stopping.signal,
    isFinal: () => isFinal,
    send: (message) =>
      new Promise((resolve) => {
        if (!process.connected || !process.send) return resolve();
        process.send(message, () => resolve());
      }),
    onMessage: (listener) => void process.on('message', listener),
  };
}

/** Asks for the outputs of instances, which the supervisor looks after while there is no worker. */
export async function takeOutputs(lifeline: Pick<Lifeline, 'signal' | 'send' | 'onMessage'>): Promise<void> {
  const given = new Promise<void>((resolve) => {
    lifeline.onMessage(({ type }) => type === 'outputs-are-yours' && resolve());
  });
  await lifeline.send({ type: 'take-outputs' });
  await Promise.race([given, untilAborted(lifeline.signal)]);
  lifeline.signal.throwIfAborted();
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** What has been compiled until now need not be compiled again by the next process, even if this one is killed. */
export function keepCompiled(): void {
  module.flushCompileCache();
}
