import type { LoadBoard } from './load-board.ts';
import type { Member } from './member.ts';

/** Before those that serve. */
const RANK: Partial<Record<Member['condition'], number>> = { unwell: -2, starting: -1 };

export interface RetireInput {
  nowMs: number;
  drainWithinMs: number;
  /** What edges were told last. */
  route: { version: number; listed: ReadonlySet<string> };
  board: LoadBoard;
}

/** Takes those that are to go one step further, and returns the ones that nobody needs any more. */
export function retireMembers(members: Iterable<Member>, input: RetireInput): Member[] {
  return [...members].filter((member) => member.retirement !== null && isDone(member, input));
}

/** No edge lists it, every edge has said so, and none has a request there, or too long already. */
function isDone(member: Member, { nowMs, drainWithinMs, route, board }: RetireInput): boolean {
  if (member.condition === 'ended') return true;
  const retirement = member.retirement!;
  if (!route.listed.has(member.id)) retirement.version ??= route.version;
  if (retirement.version === null || !board.isKnown) return false;
  if (retirement.confirmedAtMs === null && board.hasReached(retirement.version)) retirement.confirmedAtMs = nowMs;
  if (retirement.confirmedAtMs === null) return false;
  return board.busyAt(member.id) === 0 || nowMs - retirement.confirmedAtMs >= drainWithinMs;
}

/** Those that can best be spared: who is not well, or does not serve yet, then who has least to do, then the newest. */
export function chooseSurplus(members: readonly Member[], count: number, board: LoadBoard): Member[] {
  const worth = ({ condition, id }: Member) => RANK[condition] ?? board.busyAt(id);
  return members.toSorted((a, b) => worth(a) - worth(b) || b.startedAtMs - a.startedAtMs).slice(0, count);
}
