/** What an edge does with a request for an environment. */
export type RouteTarget = StaticTarget;

export interface StaticTarget {
  kind: 'static';
  artifactId: string;
  /** For the log and for what is shown. */
  deploymentId: string;
  /** Raised when the manifest was written anew (compressed forms were added): edges read it again. */
  revision: number;
}

/** One environment as the edges know it. */
export interface Route {
  environmentId: string;
  /** Null: there is no such environment any more. */
  subdomain: string | null;
  /** Null: it has never been released. */
  target: RouteTarget | null;
  version: number;
}
