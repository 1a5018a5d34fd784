import type { Config } from '../../config.ts';
import type { Db } from '../../db/pool.ts';
import { edgeNamesOf } from '../../routing/edge-names.ts';
import { readEdgeAddresses, type EdgeAddress } from '../../routing/route-store.ts';

/**
 * The edge that new instances are asked through: one of this host, or, where it has none, of another. Each further try
 * goes to the next of these, since one that is lost counts as living for some seconds.
 */
export async function chooseEdge(
  db: Db,
  config: Pick<Config, 'home' | 'bind' | 'port'>,
  attempt: number,
): Promise<EdgeAddress> {
  const edges = await readEdgeAddresses(db);
  const ours = edgeNamesOf(config);
  const isHere = [...edges.keys()].some((name) => name.startsWith(ours));
  if (isHere || edges.size === 0) return { bind: config.bind, port: config.port };
  return [...edges.values()][attempt % edges.size]!;
}
