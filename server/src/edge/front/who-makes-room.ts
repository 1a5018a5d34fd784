/** A connection that may be closed, since no request is under way on it. */
export interface Dispensable {
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** Since when it has been as it is, in milliseconds. */
  readonly quietSince: number;
}

/**
 * Of connections on which nothing is under way, those that are closed when there are too many. Again and
 * again it is the oldest of the address that has the most: so one that takes all it can get shuts out itself
 * and nobody else, and a proxy or a network with one address may have as many as there is room for.
 */
export function whoMakesRoom<T extends Dispensable>(connections: readonly T[], count: number): T[] {
  const left = new Map<string | undefined, number>();
  for (const { socket } of connections) left.set(socket.remoteAddress, (left.get(socket.remoteAddress) ?? 0) + 1);
  const ranked = connections
    .toSorted((one, other) => one.quietSince - other.quietSince)
    .map((connection) => {
      const { remoteAddress } = connection.socket;
      const rank = left.get(remoteAddress)!;
      left.set(remoteAddress, rank - 1);
      return { connection, rank };
    });
  const first = ranked.toSorted((one, other) => other.rank - one.rank).slice(0, count);
  return first.map(({ connection }) => connection);
}
