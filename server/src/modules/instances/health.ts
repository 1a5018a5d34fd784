import type { Finding } from './examine-member.ts';
import { isCapacity, type Member } from './member.ts';

/** One look may have come at a bad moment. */
const LOOKS_TO_BE_ILL = 2;

export interface HealthTiming {
  /** Who is ill for so long is replaced. */
  sickMs: number;
  /** Who was never well gets as long as a start may take. */
  startWithinMs: number;
}

/** In which condition it is after a look at it, which is noted. */
export function noteFinding(member: Member, finding: Finding): Member['condition'] {
  member.isWell = finding.kind === 'well';
  member.hasBeenWell ||= member.isWell;
  member.failedChecks = member.isWell ? 0 : member.failedChecks + 1;
  if (finding.kind === 'well') return 'up';
  member.ailment = finding.ailment;
  const isIll = member.condition !== 'up' || member.failedChecks >= LOOKS_TO_BE_ILL;
  if (!isIll) return 'up';
  return finding.kind === 'mute' ? 'sick' : 'unwell';
}

/**
 * Of those that answer and are not well for long: who goes, and who is to go when there is a better one, which
 * is started beside it. One at a time, and never the last that answers: what makes all of them ill, such as a
 * database that is away, is not mended by ending them.
 */
export function chooseIncurable(
  members: readonly Member[],
  { nowMs, timing: { sickMs, startWithinMs } }: { nowMs: number; timing: HealthTiming },
): { goes: Member | null; isSpare: Member | null } {
  const patienceMs = ({ hasBeenWell }: Member) => (hasBeenWell ? sickMs : Math.max(sickMs, startWithinMs));
  const incurable = members
    .filter((member) => member.condition === 'unwell' && nowMs - member.sinceMs >= patienceMs(member))
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
  const spare = incurable.find(({ isSpare }) => isSpare) ?? null;
  if (members.some(({ isWell }) => isWell)) return { goes: spare ?? incurable[0] ?? null, isSpare: null };
  // Nobody knows of it yet whether it is a better one.
  const isOneTried = members.some((member) => isCapacity(member) && !incurable.includes(member));
  const next = incurable.find(({ isSpare }) => !isSpare) ?? null;
  if (next === null || isOneTried) return { goes: null, isSpare: null };
  return { goes: spare, isSpare: next };
}

/** What is wrong when nobody is well, for a person; null while somebody is, or may be. */
export function ailmentOf(members: readonly Member[]): string | null {
  const unwell = members.find(({ condition }) => condition === 'unwell');
  if (!unwell || members.some(({ condition, isWell }) => condition === 'up' && isWell)) return null;
  return `No instance is well: ${unwell.ailment}. Requests still go to them, since there is no better one.`;
}
