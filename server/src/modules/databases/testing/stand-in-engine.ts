import { buffer } from 'node:stream/consumers';
import type { DatabaseType } from '@lilac/contract/states';
import { EngineRefused, type DatabaseOwner, type Engine } from '../../../engines/engine.ts';
import type { ServerSpec } from '../../../engines/server.ts';
import { type Explorer, TableMissing } from '../../../engines/explorer.ts';
import { LoadFailed, type LoadOptions } from '../../../engines/transfer.ts';

export interface StandInServer {
  /** What it was last told to be. */
  spec: ServerSpec;
  isRunning: boolean;
  owner: DatabaseOwner | null;
  storageGb: number;
  /** The size that it runs with, which a restart changes. */
  tierMb: number | null;
  /** What it holds: lines, each a statement that was run. */
  contents: string[];
  committed: string[];
}

export type EngineMethod =
  | 'create'
  | 'start'
  | 'stop'
  | 'kill'
  | 'destroy'
  | 'probe'
  | 'createDatabase'
  | 'setPassword'
  | 'setAccess'
  | 'setWritable'
  | 'grow'
  | 'createStandby'
  | 'setSynchronous'
  | 'isInStep'
  | 'promote'
  | 'dump'
  | 'load'
  | 'empty';

/** Servers that are notes in memory. They outlive whoever asks for them, as real ones do. */
export interface StandInEngine extends Engine {
  readonly servers: Map<string, StandInServer>;
  /** What was asked for, in its order. */
  readonly calls: EngineMethod[];
  /** What new databases lack here; null: nothing. */
  missing: string | null;
  /** Called around everything that is done; what it throws is what the call rejects with. */
  around: (moment: 'before' | 'after', method: EngineMethod, serverId: string) => void | Promise<void>;
}

export function createStandInEngine(type: DatabaseType): StandInEngine {
  const servers: StandInEngine['servers'] = new Map();
  const calls: EngineMethod[] = [];

  async function act<T>(method: EngineMethod, serverId: string, effect: () => T): Promise<T> {
    calls.push(method);
    await engine.around('before', method, serverId);
    const answer = effect();
    await engine.around('after', method, serverId);
    return answer;
  }

  function running({ id }: Pick<ServerSpec, 'id'>): StandInServer {
    const server = servers.get(id);
    if (!server?.isRunning) throw new EngineRefused(`The server ${id} does not run.`);
    return server;
  }

  function make(spec: ServerSpec, copied?: StandInServer): void {
    const { storageGb } = spec.size;
    const blank = { isRunning: false, owner: null, tierMb: null, contents: [], committed: [] };
    if (!servers.has(spec.id)) servers.set(spec.id, { ...blank, ...copied, spec, storageGb });
  }

  const engine: StandInEngine = {
    type,
    label: type === 'postgresql' ? 'PostgreSQL' : 'MySQL (MariaDB)',
    servers,
    calls,
    missing: null,
    around: () => {},
    availability: () =>
      Promise.resolve(
        engine.missing === null ? { version: '18', missing: null } : { version: null, missing: engine.missing },
      ),
    prepare: () => Promise.resolve(),
    create: (spec) => act('create', spec.id, () => make(spec)),
    start: (spec) =>
      act('start', spec.id, () => {
        const server = servers.get(spec.id);
        if (!server) throw new EngineRefused(`There is no server ${spec.id}.`);
        server.spec = spec;
        if (!server.isRunning) server.tierMb = spec.size.memoryMb;
        server.isRunning = true;
      }),
    stop: (id) => act('stop', id, () => end(id)),
    kill: (id) => act('kill', id, () => end(id)),
    destroy: (id) => act('destroy', id, () => void servers.delete(id)),
    isRunning: (id) => servers.get(id)?.isRunning ?? false,
    probe: (spec) =>
      act('probe', spec.id, () => {
        running(spec);
        return { isPrimary: spec.role === 'primary', isWritable: true };
      }),
    list: () => Promise.resolve([...servers.keys()]),
    onExit: () => () => {},
    usage: () => Promise.resolve({ cpuSeconds: 0, memoryBytes: 0, storageBytes: 0, connections: 0 }),
    createDatabase: (spec, owner) => act('createDatabase', spec.id, () => void (running(spec).owner = owner)),
    setPassword: (spec, { user, password }) =>
      act('setPassword', spec.id, () => {
        const server = running(spec);
        if (server.owner?.user !== user) throw new EngineRefused(`There is no account ${user}.`);
        server.owner = { ...server.owner, password };
      }),
    assertNetwork(network) {
      if (type === 'mysql' && network.endsWith('/33')) {
        throw new EngineRefused(`MySQL databases cannot be limited to the network ${network}.`);
      }
    },
    connectionsOf: () => 40,
    keepAccess: () => Promise.resolve(),
    setAccess: (spec) => act('setAccess', spec.id, () => void (running(spec).spec = spec)),
    setWritable: (spec) => act('setWritable', spec.id, () => void running(spec)),
    grow: (id, storageGb) => act('grow', id, () => void (servers.get(id)!.storageGb = storageGb)),
    createStandby: (primary, standby) =>
      act('createStandby', standby.id, () => make(standby, { ...running(primary), isRunning: true })),
    setSynchronous: (spec) => act('setSynchronous', spec.id, () => void running(spec)),
    isInStep: (spec) => act('isInStep', spec.id, () => running(spec).isRunning),
    promote: (spec) => act('promote', spec.id, () => void (running(spec).spec = spec)),
    dump: (spec, _name, sink) =>
      act('dump', spec.id, () => {
        for (const line of running(spec).contents) sink.write(`${line}\n`);
        sink.write('-- Lilac dump complete: tables=1 rows=1\n');
        return { tables: 1, rows: 1 };
      }),
    load: (spec, _owner, source, options) => load(spec, source, options),
    hasCommitted: (spec, id) => Promise.resolve(running(spec).committed.includes(id)),
    empty: (spec) =>
      act('empty', spec.id, () => {
        const server = running(spec);
        server.contents = [];
        // With the database come its accounts, and whom they let in.
        if (type === 'mysql') server.spec = spec;
      }),
    explorer: () => emptyExplorer,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };

  /** A line that says `fail` does. As in the real ones, PostgreSQL's lines come all at once or not at all. */
  async function load(spec: ServerSpec, source: AsyncIterable<Buffer>, { onTransaction }: LoadOptions) {
    const text = (await buffer(source)).toString();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('--'));
    const fault = lines.indexOf('fail');
    const good = fault < 0 ? lines : lines.slice(0, fault);
    const id = String(calls.length);
    await onTransaction?.(id);
    await act('load', spec.id, () => {
      const server = running(spec);
      if (fault < 0 || type === 'mysql') server.contents = [...server.contents, ...good];
      if (fault < 0) server.committed.push(id);
    });
    if (fault >= 0) throw new LoadFailed(`line ${fault + 1}: fail`);
    return { statements: good.length, rows: 0 };
  }

  function end(id: string): void {
    const server = servers.get(id);
    if (server) server.isRunning = false;
  }

  return engine;
}

/** Finds nothing, and takes every change. */
const emptyExplorer: Explorer = {
  schema: () => Promise.resolve([]),
  table: () => Promise.reject(new TableMissing('There is no such table.')),
  rows: () => Promise.resolve({ rows: [], total: 0 }),
  query: () => Promise.resolve({ columns: [], rows: [], rowCount: 0, truncated: false }),
  cancel: () => Promise.resolve(false),
  changeRow: () => Promise.resolve({}),
  changeTable: () => Promise.resolve(),
};
