import type { DatabaseStatus } from '@lilac/contract/states';

export interface ServerView {
  isMade: boolean;
  isRunning: boolean;
  /** How often in a row it failed to start, or ended soon after. */
  failures: number;
  /** The wait after the last failure is over. */
  mayStart: boolean;
}

/** What there is to know of a database and its servers at one moment. */
export interface Situation {
  status: DatabaseStatus;
  isHa: boolean;
  primary: ServerView & {
    /** Its process lives, and it has not answered for long. */
    isHung: boolean;
    /** Its volume has no room left: a standby's, which holds the same, has none either. */
    isAtWall: boolean;
  };
  standby: (ServerView & { isInStep: boolean }) | null;
  /** Of making a standby, and of bringing one into step. */
  pairing: { failures: number; mayTry: boolean };
}

export type Action =
  | 'nothing'
  | 'end the primary'
  | 'fail over'
  | 'start the primary'
  | 'start the standby'
  | 'bring into step'
  | 'make a standby'
  | 'make the standby anew'
  | 'remove the standby';

/** So many failures in a row are no chance. */
const ENOUGH_FAILURES = 3;

/** What is to be done next; after it the question is asked again. */
export function decide(situation: Situation): Action {
  const { status, primary, standby } = situation;
  if (!isKept(situation)) return 'nothing';
  if (!primary.isRunning) return revive(situation);
  if (primary.isHung) return 'end the primary';
  // What servers there are to be is the business of the job that changes it.
  if (status === 'updating') return standby?.isMade && canStart(standby) ? 'start the standby' : 'nothing';
  return situation.isHa ? pair(situation) : standby ? 'remove the standby' : 'nothing';
}

/** It is to run: one that is not whole yet, or is being deleted, is its job's. */
export function isKept({ status, primary }: Situation): boolean {
  return primary.isMade && status !== 'provisioning' && status !== 'deleting';
}

function revive({ primary, standby }: Situation): Action {
  // Only one that missed nothing may take over. Otherwise the primary has what nobody else has.
  if (standby?.isMade && standby.isInStep && !primary.isAtWall) {
    if (standby.isRunning && standby.failures < ENOUGH_FAILURES) return 'fail over';
    // Both are down, as after a restart of the machine: the primary first, unless it is beyond help.
    if (primary.failures >= ENOUGH_FAILURES && canStart(standby)) return 'start the standby';
  }
  return primary.mayStart ? 'start the primary' : 'nothing';
}

function pair({ standby, pairing }: Situation): Action {
  if (!standby?.isMade) return pairing.mayTry ? 'make a standby' : 'nothing';
  if (standby.isInStep && standby.isRunning) return 'nothing';
  const isHopeless = standby.failures >= ENOUGH_FAILURES || pairing.failures >= ENOUGH_FAILURES;
  if (isHopeless) return pairing.mayTry ? 'make the standby anew' : 'nothing';
  if (!standby.isRunning) return canStart(standby) ? 'start the standby' : 'nothing';
  return pairing.mayTry ? 'bring into step' : 'nothing';
}

const canStart = ({ isRunning, mayStart }: ServerView): boolean => !isRunning && mayStart;
