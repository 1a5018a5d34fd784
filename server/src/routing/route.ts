/** What an edge does with a request for an environment. */
export type RouteTarget = StaticTarget | InstancesTarget;

export interface StaticTarget {
  kind: 'static';
  artifactId: string;
  /** For the log and for what is shown. */
  deploymentId: string;
  /** Raised when the manifest was written anew (compressed forms were added): edges read it again. */
  revision: number;
}

export interface InstancesTarget {
  kind: 'instances';
  deploymentId: string;
  /**
   * Those that take requests. One that does not listen yet may be among them: an edge tries again until
   * it does. None: the environment is asleep, and whoever holds a request for it asks for an instance.
   */
  instances: readonly InstanceAddress[];
  /** How many requests one instance is given at a time. */
  concurrency: number;
  /** How many instances there may be at most: it bounds how many requests are held. */
  maxInstances: number;
  /** Those of before whose machine is gone: of what they were asked no answer comes. Left out: none. */
  lost?: readonly string[];
  /** Set while no instance can be kept running: requests are answered with an error at once, not held. */
  outage: 'crashing' | null;
  /** Instances that are being checked before they take requests. Whoever knows the token reaches them, nobody else. */
  probe: { token: string; instances: readonly InstanceAddress[] } | null;
}

export interface InstanceAddress {
  id: string;
  host: string;
  port: number;
}

/** The artifact whose files are served; null where they are not files. */
export function artifactOf(target: RouteTarget | null | undefined): string | null {
  return target?.kind === 'static' ? target.artifactId : null;
}

/** Who wants in must show a cookie that is signed with this key. A new password is a new key. */
export interface RouteLock {
  /** Base64url, 32 bytes. */
  key: string;
}

/** One environment as the edges know it. */
export interface Route {
  environmentId: string;
  /** Null: there is no such environment any more. */
  subdomain: string | null;
  /** Null: it has never been released. */
  target: RouteTarget | null;
  /** Null: anybody may come. */
  lock: RouteLock | null;
  /** Every request is a line of the environment's log. */
  accessLog: boolean;
  /** The host name of its own at which it answers too, as in the store's `domains`; null: none, or not yet proved. */
  domain: string | null;
  /** It answers at its subdomain. */
  atSubdomain: boolean;
  version: number;
}
