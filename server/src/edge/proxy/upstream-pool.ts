import type { InstanceAddress } from '../../routing/route.ts';
import { DOUBTFUL_AFTER_MS, IDLE_LIMIT_MS, LONGEST_IDLE_MS, MAX_IDLE } from './limits.ts';
import { UpstreamConnection, type ConnectionOwner } from './upstream-connection.ts';

const SWEEP_EVERY_MS = 500;
/** An instance closes a connection after the time it has named; we do before. */
const SAFETY_MS = 1000;

/** The connections of this edge to one instance, kept open between requests. */
export class UpstreamPool implements ConnectionOwner {
  readonly address: InstanceAddress;
  readonly #all = new Set<UpstreamConnection>();
  /** The one that was used last is used first, so that those that are too many become idle. */
  readonly #idle: UpstreamConnection[] = [];
  #isRetired = false;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(address: InstanceAddress) {
    this.address = address;
  }

  /** How many connections are open, and how many of them nobody uses. */
  get counts(): { open: number; idle: number } {
    return { open: this.#all.size, idle: this.#idle.length };
  }

  /** An idle connection, or a new one. */
  take(nowMs: number): UpstreamConnection {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (nowMs < connection.idleUntilMs) return connection;
      connection.destroy();
    }
    return this.open();
  }

  /**
   * For what must not be asked twice: one on which the instance was heard a moment ago, or a new one in its place. A
   * machine that is gone closes nothing, so that what is written to it is lost; who connects anew finds out before.
   */
  takeHeard(nowMs: number): UpstreamConnection {
    const kept = this.take(nowMs);
    if (!kept.isReused || nowMs - kept.idleSinceMs < DOUBTFUL_AFTER_MS) return kept;
    kept.destroy();
    return this.open();
  }

  open(): UpstreamConnection {
    const connection = new UpstreamConnection(this.address, this);
    this.#all.add(connection);
    return connection;
  }

  takeBack(connection: UpstreamConnection): void {
    if (this.#isRetired || this.#idle.length >= MAX_IDLE) return connection.destroy();
    connection.isReused = true;
    connection.idleSinceMs = performance.now();
    connection.idleUntilMs = connection.idleSinceMs + idleMsOf(connection.keepAliveSeconds);
    this.#idle.push(connection);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref();
  }

  forget(connection: UpstreamConnection): void {
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
  }

  /** It takes no new requests: idle connections are closed, tunnels are told. What is under way goes on. */
  retire(): void {
    this.#isRetired = true;
    for (const connection of this.#idle.slice()) connection.destroy();
    // Not now: tunnels that end give their places back to whoever has called this.
    setImmediate(() => {
      for (const connection of Array.from(this.#all)) connection.retire();
    });
    this.#sweep();
  }

  /** Ends tunnels and answers that have begun, for everybody. The connections that nobody uses stay. */
  shutOut(): void {
    for (const connection of Array.from(this.#all)) connection.shutOut();
  }

  /** The instance's machine is gone, which no connection hears. */
  lose(): void {
    for (const connection of Array.from(this.#all)) connection.lose();
  }

  /** Closes everything. */
  close(): void {
    this.#isRetired = true;
    for (const connection of Array.from(this.#all)) connection.destroy();
    this.#sweep();
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#idle.slice()) if (now >= connection.idleUntilMs) connection.destroy();
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

function idleMsOf(keepAliveSeconds: number): number {
  if (keepAliveSeconds === 0) return IDLE_LIMIT_MS;
  return Math.min(Math.max(keepAliveSeconds * 1000 - SAFETY_MS, SAFETY_MS / 2), LONGEST_IDLE_MS);
}
