import type { Tx } from '../db/pool.ts';

/**
 * What only one worker of all does: keep the instances of applications (and collect what they write), keep the
 * servers of databases. Jobs that need one of them are taken only by the worker that leads it.
 */
export const leadNames = ['databases', 'instances'] as const;
export type LeadName = (typeof leadNames)[number];

/** This worker's part in one of them. */
export interface Leadership {
  /** Whether it leads, and the store was told so on a session that stands. */
  isHeld(): boolean;
  /**
   * To be asked before anything is done to what all hosts share. Resolves at once while it leads; while it cannot
   * tell, because the store is away, when it can again. Never resolves where another leads: this process ends then.
   */
  certain(): Promise<void>;
  /**
   * Until the transaction ends nobody else can begin to lead. Throws `NotLeading` where somebody has: what a former
   * leader writes late is not written.
   */
  hold(tx: Tx): Promise<void>;
}

/** Another worker leads. */
export class NotLeading extends Error {}

/** For what runs alone, without a store that others could lead on. */
export const soleLeadership: Leadership = {
  isHeld: () => true,
  certain: () => Promise.resolve(),
  hold: () => Promise.resolve(),
};
