import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type GateOutcome = 'open' | 'timed-out' | 'full';

/** How often to look whether the api is back; one look serves everybody who waits. */
const LOOK_EVERY_MS = 20;

export interface ApiGateOptions {
  /** Whether anybody listens. */
  isThere: () => Promise<boolean>;
  maxWaiting: number;
}

/** Holds requests while no api listens: it is restarting. */
export class ApiGate {
  readonly #isThere: () => Promise<boolean>;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<(outcome: GateOutcome) => void>();
  #isLooking = false;

  constructor({ isThere, maxWaiting }: ApiGateOptions) {
    this.#isThere = isThere;
    this.#maxWaiting = maxWaiting;
  }

  /** `open` as soon as the api listens. */
  wait(timeoutMs: number): Promise<GateOutcome> {
    if (this.#waiting.size >= this.#maxWaiting) return Promise.resolve('full');
    return new Promise((resolve) => {
      const leave = (outcome: GateOutcome) => {
        clearTimeout(timer);
        this.#waiting.delete(leave);
        resolve(outcome);
      };
      const timer = setTimeout(leave, timeoutMs, 'timed-out');
      this.#waiting.add(leave);
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      await delay(LOOK_EVERY_MS);
      if (await this.#isThere()) for (const leave of this.#waiting) leave('open');
    }
    this.#isLooking = false;
  }
}

/** Whether somebody takes connections at a socket of this host. */
export function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
