import type { Config } from '../../config.ts';
import type { Db } from '../../db/pool.ts';
import { edgeNamesOf } from '../../routing/edge-names.ts';
import { readEdgeAddresses, type EdgeAddress } from '../../routing/route-store.ts';

/** The edge that new instances are asked through: one of this host, or, where it has none, of another. */
export async function chooseEdge(db: Db, config: Pick<Config, 'home' | 'bind' | 'port'>): Promise<EdgeAddress> {
  const edges = await readEdgeAddresses(db);
  const ours = edgeNamesOf(config);
  const isHere = [...edges.keys()].some((name) => name.startsWith(ours));
  return isHere ? config : (edges.values().next().value ?? config);
}
