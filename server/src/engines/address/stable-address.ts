/**
 * Keeps a database reachable at one port while the server behind it changes. A server that listens at that port
 * itself needs nothing; only after a failover does the port lead elsewhere.
 */
export interface StableAddresses {
  /**
   * Lets connections to `port` of this machine arrive at `target` instead, from wherever they come; null: at whoever
   * listens at `port`. Takes effect for new connections at once, and lasts, whoever set it may end.
   */
  point(port: number, target: number | null): Promise<void>;
  /** What leads elsewhere, by port. */
  list(): Promise<ReadonlyMap<number, number>>;
  /** Sets right what others have changed, and removes what is not among these. */
  hold(wanted: ReadonlyMap<number, number>): Promise<void>;
  readonly name: 'redirect' | 'proxy';
}
