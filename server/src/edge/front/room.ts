import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import type { HeldConnection } from './held-connection.ts';
import { whoMakesRoom } from './who-makes-room.ts';

export interface RoomOptions {
  /** Whose connections they are: all that come in from outside. */
  servers: readonly Server[];
  /** The one that connections are handed over to. */
  httpServer: HttpServer;
  /** The most connections that all servers may have together. */
  maxConnections: number;
}

/** Of the connections that the server takes: with more, those that nobody uses are closed. */
const CROWDED = 0.9;
/** With more, that is not put off until the next tick: what is left would be taken before. */
const FULL = 0.95;

/** Sees to it that there is room for whoever comes: of those that nobody uses, some go. */
export class Room {
  readonly #options: RoomOptions;
  readonly #connections: ReadonlySet<HeldConnection>;
  /** Room is made soon, or there is none to be made before the next tick. */
  #isSought = false;

  /** The set is the front's, and changes. */
  constructor(options: RoomOptions, connections: ReadonlySet<HeldConnection>) {
    this.#options = options;
    this.#connections = connections;
    for (const server of options.servers) {
      server.maxConnections = options.maxConnections;
      server.on('drop', () => this.#makeSoon());
    }
  }

  /** A connection was taken. */
  onTaken(): void {
    if (this.#connections.size > this.#options.maxConnections * FULL) this.#makeSoon();
  }

  async make(): Promise<void> {
    const { servers, maxConnections } = this.#options;
    const counts = await Promise.all(servers.map(countConnections));
    const all = counts.reduce((sum, count) => sum + count, 0);
    // What one has taken the other has not; but each may take one, so that room is made for it.
    servers.forEach((server, at) => (server.maxConnections = Math.max(1, maxConnections - all + counts[at]!)));
    const tooMany = Math.ceil(all - maxConnections * CROWDED);
    this.#isSought = tooMany > 0 && this.#dismiss(tooMany) === 0;
  }

  /** Once for all who have come meanwhile: to choose who goes takes a look at every connection. */
  #makeSoon(): void {
    if (this.#isSought) return;
    this.#isSought = true;
    setImmediate(() => void this.make());
  }

  /** Returns how many of the front's own have gone. */
  #dismiss(count: number): number {
    const dispensable = Array.from(this.#connections).filter(({ isDispensable }) => isDispensable);
    const dismissed = whoMakesRoom(dispensable, count);
    // At once: one that is ended and waits for its client to end it too takes as much room as any.
    for (const connection of dismissed) connection.destroy();
    if (dismissed.length < count) this.#options.httpServer.closeIdleConnections();
    return dismissed.length;
  }
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
