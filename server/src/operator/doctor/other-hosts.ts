import { existsSync } from 'node:fs';
import { pathsOf } from '../../config.ts';
import { readEdgeLoads } from '../../routing/route-store.ts';
import { edgeNamesOf } from '../../routing/edge-names.ts';
import { runtimeInUse } from '../../runtime/take-runtime.ts';
import { ok, warn, type CheckedHost, type Finding } from './check.ts';
import { lookIntoStore } from './look-into-store.ts';

/** Whether edges of other hosts reach the servers that run here. */
export async function lookAtOtherHosts(host: CheckedHost): Promise<Finding> {
  const { config } = host;
  const kind = await runtimeInUse(config);
  if (kind === 'swarm') return ok('edges of every host reach the servers of the swarm');
  // Before the first start there is neither a name of this host nor an edge of it.
  if (config.databaseUrl === null || !existsSync(pathsOf(config).hostId)) return ok('none known');
  return lookIntoStore(host, async (db) => {
    const living = [...(await readEdgeLoads(db))].flatMap(([name, { isOverdue }]) => (isOverdue ? [] : [name]));
    return judgeOtherHosts(living, { own: edgeNamesOf(config), kind });
  });
}

/** `own`: what the names of this host's edges begin with. */
export function judgeOtherHosts(edges: readonly string[], { own, kind }: { own: string; kind: string }): Finding {
  const others = edges.filter((name) => !name.startsWith(own)).map((name) => name.split(/[@ ]/)[0]!);
  if (others.length === 0) return ok('no edges run on other hosts');
  return warn(
    `edges also run on ${[...new Set(others)].join(', ')}, and CANNOT reach the servers of this platform: with ` +
      `${kind} they are on one machine, and only its own edges reach them`,
    'Lead the names of servers to the host that runs them (npx lilac admin leaders tells which), or set ' +
      'LILAC_RUNTIME=swarm on all hosts.',
  );
}
