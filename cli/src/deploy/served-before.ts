import { cameToNothing } from '@lilac/contract/came-to-nothing';
import type { Output } from '@lilac/sdk';

type Listed = Output<'deployments.list'>[number];

interface Release {
  deployment: Listed;
  at: number;
  isRollback: boolean;
}

/**
 * What was served before what is served now and can be served again. Whoever rolls back goes back on their way: what
 * lay between is left behind, and no later rollback comes to it.
 */
export function servedBefore(all: readonly Listed[]): Listed | null {
  const live = all.find(({ is_live: isLive }) => isLive);
  const releases = all.flatMap(releasesOf).toSorted((one, other) => one.at - other.at);
  const lastOfLive = releases.findLastIndex(({ deployment }) => deployment === live);
  const way: Listed[] = [];
  // What is live is the last that was released, whatever else looks like it.
  for (const { deployment, isRollback } of live ? releases.slice(0, lastOfLive + 1) : releases) {
    const earlier = isRollback ? way.indexOf(deployment) : -1;
    if (earlier !== -1) way.length = earlier;
    way.push(deployment);
  }
  return way.findLast(({ can_rollback: canRollBack, is_live: isLive }) => canRollBack && !isLive) ?? null;
}

/** Of those that a deployment was brought back by, only the last is known. */
function releasesOf(deployment: Listed): Release[] {
  const { status, is_live: isLive, first_run: firstRun, completed_at: completedAt, started_at: startedAt } = deployment;
  const first = { deployment, at: Date.parse(firstRun?.completed_at ?? startedAt), isRollback: false };
  const last = { deployment, at: Date.parse(completedAt ?? startedAt), isRollback: firstRun !== null };
  if (firstRun === null) return isLive || status === 'healthy' ? [last] : [];
  return isLive || (status === 'healthy' && !cameToNothing(deployment)) ? [first, last] : [first];
}
