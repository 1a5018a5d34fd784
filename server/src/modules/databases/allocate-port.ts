import type { Config } from '../../config.ts';
import type { Tx } from '../../db/pool.ts';
import { isPortFree } from '../../engines/port-free.ts';
import { Fault } from '../../lib/fault.ts';
import { sha256 } from '../../lib/hash.ts';
import { holdPorts, portsInUse } from './server-store.ts';

type PortConfig = Pick<Config, 'home'> & { databases: Pick<Config['databases'], 'ports'> };

/**
 * A port that no database has and nobody on this machine listens at. It is the caller's once the transaction has
 * written it down; until then nobody else is given one.
 */
export async function allocatePort(tx: Tx, config: PortConfig): Promise<number> {
  await holdPorts(tx);
  const taken = await portsInUse(tx);
  for (const port of candidates(config)) if (!taken.has(port) && (await isPortFree(port))) return port;
  const { first, last } = config.databases.ports;
  throw new Fault(
    'CF001',
    `No port from ${first} to ${last} is free for another database. Delete one, or let the operator raise LILAC_DATABASE_PORTS.`,
  );
}

/** All of the range, from a place of this installation's own on: a second one on the machine begins elsewhere. */
export function* candidates({ home, databases: { ports } }: PortConfig): Generator<number> {
  const count = ports.last - ports.first + 1;
  const start = sha256(home).readUInt32BE() % count;
  for (let step = 0; step < count; step++) yield ports.first + ((start + step) % count);
}
