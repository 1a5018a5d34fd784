import type { IsStray } from '../is-stray.ts';
import type { Dispensable } from './who-makes-room.ts';

/** A connection as the front keeps it, whatever is spoken on it: it hears the time, and ends when it has to. */
export interface HeldConnection extends Dispensable {
  /** Nothing is under way on it. */
  readonly isIdle: boolean;
  /** No request is under way: it may be closed at once to make room. */
  readonly isDispensable: boolean;
  /** Called about once a second. */
  onTick(now: number, elapsedMs: number): void;
  /** The edge ends: who would stay for long is told. */
  onStop(): void;
  /** Ends what is under way by a name that leads elsewhere now. */
  endStrays(isStray: IsStray): void;
  /** Ends it when what was written is out. */
  close(): void;
  destroy(): void;
}
