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

/** A role that is told to end by a signal does after this time, unless the supervisor has a word to say. */
const WORD_WITHIN_MS = 500;

export function connectToSupervisor(): Lifeline {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  let isFinal = false;
  let mustWait = false;
  // What ends a whole group reaches the supervisor too, which then stops the roles in order: an edge that went before
  // would leave who is connecting to a port with nobody behind it. Ctrl-C always does.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => setTimeout(() => mustWait || stop(), WORD_WITHIN_MS));
  process.on('disconnect', stop);
  process.on('message', (message: ToRole) => {
    mustWait ||= message.type === 'await-turn';
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
