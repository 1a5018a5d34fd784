import type { RouteTarget } from '../../routing/route.ts';
import type { Member } from './member.ts';

/** The deployments of an environment that may have instances. */
export interface CurrentDeployments {
  liveId: string | null;
  /** A release in this process is about them. */
  pinned: ReadonlySet<string>;
  /** By the rows, when they were read. */
  releasing: readonly string[];
}

/** A release has told edges of another deployment, and it is not decided yet: nothing is changed meanwhile. */
export function isSwitching(published: RouteTarget | null, { liveId, pinned, releasing }: CurrentDeployments): boolean {
  const isLives = published?.kind === 'instances' && published.deploymentId === liveId;
  return !isLives && (pinned.size > 0 || releasing.length > 0);
}

/** Instances of deployments that are neither live nor being released. */
export function strangersAmong(members: readonly Member[], current: CurrentDeployments): Member[] {
  const kept = new Set([...current.pinned, ...current.releasing, current.liveId]);
  return members.filter(({ deploymentId }) => !kept.has(deploymentId));
}
