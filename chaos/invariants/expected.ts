import { join } from 'node:path';
import { findMain } from '../../server/src/engines/host/launch-notes.ts';
import { readRecord } from '../../server/src/engines/host/place-record.ts';
import { processTree } from '../../server/src/lib/process-tree.ts';
import { readProcess } from '../../server/src/runtime/held/instance-record.ts';
import type { Check } from './problem.ts';

/** What may be on the machine, by what the store says. */
export interface Expected {
  home: string;
  instances: ReadonlySet<string>;
  servers: ReadonlySet<string>;
  /** Where databases listen. */
  ports: ReadonlySet<number>;
  /** Users of databases. */
  users: ReadonlySet<number>;
  /** Every process that belongs to one of them, or to the platform itself. */
  pids: ReadonlySet<number>;
}

export async function readExpected({ scene, peek }: Check): Promise<Expected> {
  const { home } = scene.handle;
  const servers = await peek.databaseServers();
  const instances = (await peek.routes()).flatMap(({ target }) =>
    target?.kind === 'instances' ? [...target.instances, ...(target.probe?.instances ?? [])].map(({ id }) => id) : [],
  );
  const roots = [
    scene.handle.current().supervisorPid,
    ...scene.handle.pids('store'),
    ...servers.map(({ id }) => findMain(join(home, 'databases', id))?.pid),
    ...instances.map((id) => readProcess(join(home, 'instances', id))?.pid),
  ];
  return {
    home,
    instances: new Set(instances),
    servers: new Set(servers.map(({ id }) => id)),
    users: new Set(servers.flatMap(({ id }) => readRecord(join(home, 'databases'), id)?.uid ?? [])),
    ports: new Set(servers.flatMap(({ port, publicPort }) => [port, publicPort])),
    pids: new Set(roots.flatMap((pid) => (pid === undefined ? [] : processTree(pid)))),
  };
}

/** Whether a name is of an instance or a server that is to be there, wherever in it that stands. */
export function isExpected({ instances, servers }: Expected, name: string): boolean {
  const id = /(ins|dbs)_[A-Za-z0-9]+/.exec(name)?.[0] ?? '';
  return instances.has(id) || servers.has(id);
}
