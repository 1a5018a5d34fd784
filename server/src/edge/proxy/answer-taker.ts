import type { ResponseHead } from './response-head.ts';

/** Who is told what an instance answers. */
export interface AnswerTaker {
  /** The request's method: it decides whether the answer has a body. */
  readonly method: string;
  /** Only the data of a chunked answer is wanted, not its chunks. */
  readonly isDataOnly: boolean;
  /** The request may be sent. */
  onConnected(): void;
  /** 1xx: the answer itself is yet to come. The head holds until this returns. */
  onInformation(head: ResponseHead): void;
  /** The head holds until this returns. */
  onAnswer(head: ResponseHead): void;
  /** Nothing of the body has come with the head. */
  onHeadAlone(): void;
  /**
   * The next bytes of the body. Up to `AS_TEXT_BYTES` of them are the taker's only until it returns;
   * more are its own until they are out. False: not all are out yet, so that no more should come.
   */
  onBytes(bytes: Buffer): boolean;
  /** Calls back when all that was given is out. */
  whenOut(callback: () => void): void;
  onEnd(): void;
  /** The instance has said all that it will, in a tunnel. */
  onHalfClose(): void;
  /** The connection is over before the answer is. */
  onBroken(cause: BreakCause): void;
  /** The instance takes no new requests. */
  onRetired(): void;
  /** Who asked may not see more of the answer. */
  onShutOut(): void;
}

/**
 * - `refused`: nobody could be connected to, so that nothing was sent.
 * - `stale`: an idle connection turned out to be closed before anything was written to it.
 * - `closed`: it ended early.
 * - `lost`: its machine is gone, with what it was asked.
 * - `unreadable`: what came is not an answer.
 */
export type BreakCause = 'refused' | 'stale' | 'closed' | 'lost' | 'unreadable';
