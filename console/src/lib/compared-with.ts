import type { Deployment } from './describe-deployment.ts';

type Comparable = Pick<Deployment, 'id' | 'commit_sha' | 'started_at' | 'status'>;

interface Compared {
  say: string;
  /** Hosts show what came after one commit, up to another: nothing, where the later one is named first. */
  from: string | null;
  to: string | null;
}

/**
 * What a deployment is compared with: with what is served, and that with what was built before it. Null: with nothing.
 */
export function comparedWith(
  deployment: Comparable,
  { live, others }: { live: Comparable | null; others: readonly Comparable[] },
): Compared | null {
  const isLive = live?.id === deployment.id;
  const other = isLive ? builtBefore(deployment, others) : live;
  if (!other) return null;
  const [earlier, later] = [deployment, other].toSorted((one, another) => startedMs(one) - startedMs(another));
  const say = isLive ? 'Compare with the one before' : 'Compare with what is live';
  return { say, from: earlier!.commit_sha, to: later!.commit_sha };
}

/** The last that came to something, of another commit. */
function builtBefore(deployment: Comparable, others: readonly Comparable[]): Comparable | null {
  return others
    .filter((each) => each.status === 'healthy' && startedMs(each) < startedMs(deployment))
    .filter(({ commit_sha }) => commit_sha !== null && commit_sha !== deployment.commit_sha)
    .reduce<Comparable | null>((last, each) => (last && startedMs(last) > startedMs(each) ? last : each), null);
}

const startedMs = ({ started_at }: Comparable) => Date.parse(started_at);
