/**
 * Keeps a database reachable at one port while the server behind it changes. A server that listens at that port
 * itself needs nothing; only after a failover does the port lead elsewhere.
 */
export interface StableAddresses {
  /**
   * Lets connections to `port` of this machine arrive elsewhere, from wherever they come; null: at whoever
   * listens at `port`. Takes effect for new connections at once, and lasts, whoever set it may end.
   */
  point(port: number, lead: Lead | null): Promise<void>;
  /** What leads elsewhere, by port. */
  list(): Promise<ReadonlyMap<number, number>>;
  /** Sets right what others have changed, and removes what is not among these. */
  hold(wanted: ReadonlyMap<number, Lead>): Promise<void>;
  readonly name: 'redirect' | 'proxy';
}

export interface Lead {
  /** The port of the server behind. */
  target: number;
  /**
   * Networks from which clients may come. A server behind a redirect sees who comes and keeps strangers out by itself;
   * behind a proxy it cannot, so that the proxy does. This machine itself may always come.
   */
  networks: readonly string[];
}
