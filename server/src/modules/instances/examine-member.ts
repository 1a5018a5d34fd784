import { askInstance } from './ask-instance.ts';
import { canConnect } from './connect.ts';
import { nowOf, type FleetWorld } from './fleet-world.ts';
import { knownHealthPath } from './health-path.ts';
import type { Member } from './member.ts';
import type { Subject } from './subject.ts';

/**
 * What a look at an instance has found. The ailment is a sentence without its end: `/health answered with status 503`.
 */
export type Finding = { kind: 'well' } | { kind: 'unwell' | 'hung' | 'deaf'; ailment: string };

/** How the instances of what is live are asked. */
export interface Question {
  deploymentId: string;
  url: string;
  healthPath: string | null;
}

const WELL: Finding = { kind: 'well' };
const HUNG: Finding = { kind: 'hung', ailment: 'it does not answer requests' };
const DEAF: Finding = { kind: 'deaf', ailment: 'it does not answer on its port' };
/** Who lets people wait and yet answers when it is asked is slow; it is asked again after this time. */
const ASK_AGAIN_MS = 30_000;

export function questionOf({ url, deployment: { id, variables } }: Subject): Question {
  return { deploymentId: id, url, healthPath: knownHealthPath(variables) };
}

/**
 * Connects; asks for the health path where there is one; and where people wait for it in vain, asks whether it
 * answers at all: the kernel takes connections also for a process that hangs.
 */
export async function examineMember(world: FleetWorld, member: Member, question: Question | null): Promise<Finding> {
  const isHeard = await canConnect(member.address!, { timeoutMs: world.timing.checkWithinMs });
  if (!isHeard) return DEAF;
  if (question === null) return WELL;
  if (question.healthPath !== null) return askForHealth(world, member, { ...question, path: question.healthPath });
  return mustBeAsked(world, member) ? askForAnything(world, member, question) : WELL;
}

async function askForHealth(
  world: FleetWorld,
  member: Member,
  { path, url }: { path: string; url: string },
): Promise<Finding> {
  const timeoutMs = member.condition === 'sick' ? patienceOf(world) : world.timing.healthWithinMs;
  const status = await askInstance(member.address!, { path, url, timeoutMs });
  if (status !== null && status >= 200 && status < 400) return WELL;
  if (status !== null) return { kind: 'unwell', ailment: `${path} answered with status ${status}` };
  if (isDoubted(world, member)) return HUNG;
  return { kind: 'unwell', ailment: `${path} did not answer within ${Math.ceil(timeoutMs / 1000)} s` };
}

async function askForAnything(world: FleetWorld, member: Member, { url }: { url: string }): Promise<Finding> {
  const timeoutMs = member.condition === 'sick' ? patienceOf(world) : world.timing.answerWithinMs;
  const status = await askInstance(member.address!, { path: '/', url, timeoutMs });
  if (status === null) return isDoubted(world, member) ? HUNG : WELL;
  member.cleared = { doubts: world.board.silentAt(member.id), atMs: nowOf(world) };
  return WELL;
}

/** As long as anybody waits for a page: who is merely slow has answered by then. */
const patienceOf = ({ timing: { sickMs, answerWithinMs } }: FleetWorld): number => Math.max(sickMs, answerWithinMs);

/** What edges have seen is out of date where it takes no requests any more. */
function isDoubted({ board }: FleetWorld, { id, condition }: Member): boolean {
  return condition === 'sick' || board.silentAt(id) > 0;
}

/** Where edges doubt it, and it has not answered for itself since; where they go on to, it is asked now and then. */
function mustBeAsked(world: FleetWorld, member: Member): boolean {
  const { board } = world;
  if (member.condition === 'sick') return true;
  const doubts = board.silentAt(member.id);
  member.cleared.doubts = Math.min(member.cleared.doubts, doubts);
  if (doubts > member.cleared.doubts) return true;
  return doubts > 0 && board.busyAt(member.id) > 0 && nowOf(world) - member.cleared.atMs >= ASK_AGAIN_MS;
}
