/** What one edge process has to do at the moment. What is idle is left out. */
export interface EdgeLoad {
  environments: Readonly<Record<string, EnvironmentLoad>>;
  /** Requests and tunnels under way, by instance: also those that take no new ones any more. */
  instances: Readonly<Record<string, number>>;
  /** Requests in a row that an instance took and did not begin to answer, for long or ever, by instance. */
  silent: Readonly<Record<string, number>>;
}

export interface EnvironmentLoad {
  /** At instances. */
  inFlight: number;
  /** Held, until an instance has room. */
  waiting: number;
  /** Since the edge started. */
  requests: number;
}

/** What an edge is told of the others when it reports. */
export interface EdgePeers {
  /** Edges that live, this one included. */
  edges: number;
  /** By environment that it has asked of: how many edges that live had requests of it lately, this one included. */
  visited: ReadonlyMap<string, number>;
}

/**
 * An edge that holds requests says so at once, here; the payload is a `Demand`. A wake-up only: the same
 * is in what every edge reports once a second.
 */
export const DEMAND_CHANNEL = 'lilac_demand';

export interface Demand {
  environmentId: string;
  /** The edge's name. */
  edge: string;
  inFlight: number;
  waiting: number;
}

/**
 * An edge that has finished the last request of an instance that takes no more says so; the payload is the instance's
 * id.
 */
export const DRAINED_CHANNEL = 'lilac_drained';
