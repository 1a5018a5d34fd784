import type { Finding } from './examine-member.ts';
import { isCapacity, isWell, type Member } from './member.ts';

/** One look may have come at a bad moment, or at a good one. */
const LOOKS_TO_BE_ILL = 2;
const LOOKS_TO_BE_WELL = 2;

export interface HealthTiming {
  /** Who is ill for so long is replaced. */
  sickMs: number;
  /** Who was never well gets as long as a start may take. */
  startWithinMs: number;
}

/** In which condition it is after a look at it, which is noted. */
export function noteFinding(member: Member, finding: Finding): Member['condition'] {
  const hasPassed = finding.kind === 'well';
  member.hasBeenWell ||= hasPassed;
  member.isDeaf = finding.kind === 'deaf';
  member.passedChecks = hasPassed ? member.passedChecks + 1 : 0;
  member.failedChecks = hasPassed ? 0 : member.failedChecks + 1;
  const wasUp = member.condition === 'up';
  if (finding.kind === 'well') return wasUp || member.passedChecks >= LOOKS_TO_BE_WELL ? 'up' : member.condition;
  member.ailment = finding.ailment;
  if (wasUp && member.failedChecks < LOOKS_TO_BE_ILL) return 'up';
  return finding.kind === 'unwell' ? 'unwell' : 'sick';
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
  const isIncurable = (member: Member) =>
    member.condition === 'unwell' && member.passedChecks === 0 && nowMs - member.sinceMs >= patienceMs(member);
  const incurable = members.filter(isIncurable).toSorted((one, other) => one.sinceMs - other.sinceMs);
  const spare = incurable.find(({ isSpare }) => isSpare) ?? null;
  if (members.some(isWell)) return { goes: spare ?? incurable[0] ?? null, isSpare: null };
  // Nobody knows of it yet whether it is a better one.
  const isOneTried = members.some((member) => isCapacity(member) && !incurable.includes(member));
  const next = incurable.find(({ isSpare }) => !isSpare) ?? null;
  if (next === null || isOneTried) return { goes: null, isSpare: null };
  return { goes: spare, isSpare: next };
}

/** Whether one that has not answered for long may go: not while all others have yet to listen. */
export function isDispensable(member: Member, members: readonly Member[]): boolean {
  return members.some((other) => other !== member && other.condition !== 'starting' && other.condition !== 'ended');
}

/** What is wrong when nobody is well, for a person; null while somebody is, or may be. */
export function ailmentOf(members: readonly Member[]): string | null {
  if (members.some(isWell)) return null;
  const unwell = members.find(({ condition }) => condition === 'unwell');
  if (unwell) return `No instance is well: ${unwell.ailment}. Requests still go to them, since there is no better one.`;
  const sick = members.find(({ condition }) => condition === 'sick');
  if (!sick || members.some(({ condition }) => condition === 'up')) return null;
  return `No instance is well: ${sick.ailment}. Another is started in its place.`;
}
