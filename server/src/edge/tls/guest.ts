import type { Socket } from 'node:net';
import type { HeldConnection } from '../front/held-connection.ts';

/** Somebody who is not through its handshake yet: one of the first to go where there are too many. */
export class Guest implements HeldConnection {
  readonly socket: Socket;
  readonly quietSince: number;
  readonly isIdle = false;

  constructor(socket: Socket, now: number) {
    this.socket = socket;
    this.quietSince = now;
  }

  get isDispensable(): boolean {
    return !this.socket.destroyed;
  }

  onTick(): void {
    // Whoever shakes hands has its own limit of time.
  }

  onStop(): void {
    // It may be through in a moment, and is told then.
  }

  endStrays(): void {
    // The guest has asked for nothing yet.
  }

  close(): void {
    this.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }
}
