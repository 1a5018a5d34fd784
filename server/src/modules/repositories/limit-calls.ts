import { createFairTurns, type TurnLimits } from '../../lib/fair-turns.ts';
import { Fault } from '../../lib/fault.ts';

export interface CallLimits extends TurnLimits {
  /** Who waits longer for a turn is sent away. */
  waitMs: number;
}

/** Runs the work when it is the owner's turn; 503 SV002 for who waits too long. */
export type RunLimited = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

export function limitCalls({ waitMs, ...limits }: CallLimits): RunLimited {
  const turns = createFairTurns(limits);
  return (owner, work) => {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(tooBusy()), waitMs);
    const begin = () => {
      clearTimeout(timer);
      return work();
    };
    return turns.run(owner, begin, patience.signal);
  };
}

const tooBusy = () =>
  new Fault('SV002', 'Too many repositories are being looked at. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });
