import type { Check, Problem } from './problem.ts';
import type { Subject } from '../scene.ts';
import { differs, keptProblem as problem } from './kept-problem.ts';

/** Half of those that are kept of each environment: what was never acknowledged counts there too. */
const NEWEST = 10;

/** Those that were acknowledged are there, and no others; what was cancelled is; and the last one is live. */
export async function deploymentsKept(check: Check, subject: Subject): Promise<Problem[]> {
  const { scene, peek } = check;
  const { client, targetOrganisationId } = scene.deployer;
  const { environmentId, part } = subject;
  const body = { targetOrganisationId, environmentId, limit: 100 };
  const listed = await client.call('deployments.list', { body });
  const asked = scene.ledger.deployments(environmentId);
  const ids = new Set(listed.map(({ id }) => id));
  const route = (await peek.routes()).find((each) => each.environmentId === environmentId);
  const newest = asked.filter(({ id }) => id !== null).slice(-NEWEST);
  // History is cut: what was made twice, or ended otherwise, may be seen only while it is young.
  const seen = new Map([
    ...scene.watch.seenIn(environmentId),
    ...listed.map(({ id, status }) => [id, status] as const),
  ]);
  return [
    ...newest.flatMap(({ id, words }) =>
      ids.has(id!) ? [] : [problem(part, `deployment ${id} ("${words}") is lost`)],
    ),
    ...madeTwice(check, subject, seen),
    ...cancelledInVain(check, subject, seen),
    ...liveKept(check, subject, { liveId: route?.liveDeploymentId ?? null, seen }),
  ];
}

type Statuses = ReadonlyMap<string, string>;

/** Of those that nobody was told the id of there may be as many as requests that nobody answered. */
function madeTwice({ scene }: Check, { environmentId, part }: Subject, seen: Statuses): Problem[] {
  const asked = scene.ledger.deployments(environmentId);
  const acknowledged = new Set(asked.map(({ id }) => id));
  const unknown = [...seen.keys()].filter((id) => !acknowledged.has(id));
  const unanswered = asked.filter(({ id }) => id === null).length;
  if (unknown.length <= unanswered) return [];
  return [
    problem(
      part,
      `${unknown.length} deployments that nobody was told of (${unknown.join(', ')}), ${unanswered} unanswered`,
    ),
  ];
}

/** What was to be stopped may still fail of something else; that is explained elsewhere. */
const STOPPED = ['cancelled', 'failed'];

function cancelledInVain({ scene }: Check, { part }: Subject, seen: Statuses): Problem[] {
  return [...seen].flatMap(([id, status]) => {
    const wasPromised = scene.ledger.allowed(`end of ${id}`)[0] === 'cancelled';
    return wasPromised && !STOPPED.includes(status) ? [problem(part, `${id} was cancelled, and is ${status}`)] : [];
  });
}

function liveKept(
  { scene }: Check,
  { environmentId, part }: Subject,
  { liveId, seen }: { liveId: string | null; seen: Statuses },
): Problem[] {
  const { ledger } = scene;
  const key = `live ${environmentId}`;
  const asked = ledger.deployments(environmentId);
  const live = asked.find(({ id }) => id !== null && id === liveId)?.words ?? null;
  const last = asked.findLast(({ words }) => words === ledger.allowed(key)[0]);
  const hasLastFailed = STOPPED.includes(seen.get(last?.id ?? '') ?? '');
  const isDoubtful = asked.some(({ id }) => id === null && ledger.allowed(key).length > 1);
  return hasLastFailed || isDoubtful ? [] : differs(ledger, { key, about: part, found: live });
}
