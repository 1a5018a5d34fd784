import type { DatabaseType } from '@lilac/contract/states';
import { EngineRefused, type Engine } from '../../../engines/engine.ts';
import type { ServerSpec } from '../../../engines/server.ts';

/** A server that holds writes, and knows whom its commits wait for. */
export interface KeptServer {
  spec: ServerSpec;
  isRunning: boolean;
  /** Its process lives and it answers nobody, nor follows. */
  isFrozen: boolean;
  /** Strangers have all of its connections. */
  isCrowded: boolean;
  isPrimary: boolean;
  isWritable: boolean;
  followsId: string | null;
  commitsWaitFor: string | null;
  readonly data: Set<string>;
  /** What it says instead of starting. */
  refusal: string | null;
  /** Told of its standby though it does not run; null: it cannot tell. */
  isStandbyInStep: boolean | null;
}

export type KeptMethod =
  | 'start'
  | 'kill'
  | 'destroy'
  | 'probe'
  | 'setWritable'
  | 'createStandby'
  | 'setSynchronous'
  | 'isInStep'
  | 'promote';

/** Servers in memory that lose what real ones would lose. They outlive the keepers that ask for them. */
export interface KeeperEngine extends Engine {
  readonly servers: Map<string, KeptServer>;
  readonly calls: { method: KeptMethod; serverId: string }[];
  /** Called around everything that is done. One that never resolves is a keeper that was killed there. */
  around: (moment: 'before' | 'after', method: KeptMethod, serverId: string) => void | Promise<void>;
  add(spec: ServerSpec): KeptServer;
  /** Ends it as if by itself. */
  crash(serverId: string): void;
  /** As a client at a server's port: whether it was acknowledged. */
  write(port: number, value: string): boolean;
  usageOf: { cpuSeconds: number; memoryBytes: number; storageBytes: number; connections: number };
}

export function createKeeperEngine(type: DatabaseType): KeeperEngine {
  const servers = new Map<string, KeptServer>();
  const calls: KeeperEngine['calls'] = [];
  const listeners = new Set<(serverId: string) => void>();

  async function act<T>(method: KeptMethod, serverId: string, effect: () => T): Promise<T> {
    calls.push({ method, serverId });
    await engine.around('before', method, serverId);
    const answer = effect();
    await engine.around('after', method, serverId);
    return answer;
  }

  function answering({ id }: Pick<ServerSpec, 'id'>): KeptServer {
    const server = servers.get(id);
    if (!server?.isRunning || server.isFrozen) throw new EngineRefused(`The server ${id} does not answer.`);
    return server;
  }

  const isFollowing = (standbyId: string, primaryId: string): boolean => {
    const standby = servers.get(standbyId);
    return standby?.isRunning === true && !standby.isFrozen && standby.followsId === primaryId;
  };

  function end(id: string): void {
    const server = servers.get(id);
    if (server) server.isRunning = server.isFrozen = false;
  }

  const engine: KeeperEngine = {
    type,
    label: type,
    servers,
    calls,
    around: () => undefined,
    usageOf: { cpuSeconds: 0, memoryBytes: 0, storageBytes: 0, connections: 0 },
    add(spec) {
      const server: KeptServer = {
        spec,
        isRunning: true,
        isFrozen: false,
        isCrowded: false,
        isPrimary: spec.role === 'primary',
        isWritable: true,
        followsId: null,
        commitsWaitFor: null,
        data: new Set(),
        refusal: null,
        isStandbyInStep: null,
      };
      servers.set(spec.id, server);
      return server;
    },
    crash(serverId) {
      end(serverId);
      for (const listener of listeners) listener(serverId);
    },
    write(port, value) {
      const server = [...servers.values()].find(({ spec, isRunning }) => spec.port === port && isRunning);
      if (!server?.isPrimary || !server.isWritable || server.isFrozen) return false;
      const { commitsWaitFor } = server;
      server.data.add(value);
      if (commitsWaitFor === null) return true;
      // It waits, and its client goes away without an answer.
      if (!isFollowing(commitsWaitFor, server.spec.id)) return false;
      servers.get(commitsWaitFor)!.data.add(value);
      return true;
    },
    availability: () => Promise.resolve({ version: '18', missing: null }),
    prepare: () => Promise.resolve(),
    create: (spec) => Promise.resolve(void engine.add(spec)),
    start: (spec) =>
      act('start', spec.id, () => {
        const server = servers.get(spec.id);
        if (!server) throw new EngineRefused(`There is no server ${spec.id}.`);
        if (server.refusal) throw new EngineRefused(server.refusal);
        server.spec = spec;
        server.isRunning = true;
      }),
    stop: (id) => Promise.resolve(end(id)),
    kill: (id) => act('kill', id, () => end(id)),
    destroy: (id) => act('destroy', id, () => void servers.delete(id)),
    isRunning: (id) => servers.get(id)?.isRunning ?? false,
    probe: (spec) =>
      act('probe', spec.id, () => {
        const { isPrimary, isWritable, isCrowded } = answering(spec);
        return isCrowded ? 'crowded' : { isPrimary, isWritable };
      }),
    list: () => Promise.resolve([...servers.keys()]),
    onExit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    usage: () => Promise.resolve(engine.usageOf),
    createDatabase: () => Promise.resolve(),
    setPassword: () => Promise.resolve(),
    assertNetwork: () => {},
    setAccess: () => Promise.resolve(),
    connectionsOf: () => 40,
    keepAccess: (spec) => Promise.resolve(void (answering(spec).spec = spec)),
    setWritable: (spec, isWritable) =>
      act('setWritable', spec.id, () => void (answering(spec).isWritable = isWritable)),
    grow: () => Promise.resolve(),
    createStandby: (primary, spec) =>
      act('createStandby', spec.id, () => {
        const { data } = answering(primary);
        const standby = engine.add(spec);
        standby.followsId = primary.id;
        for (const value of data) standby.data.add(value);
      }),
    setSynchronous: (spec, standbyId) =>
      act('setSynchronous', spec.id, () => {
        const primary = answering(spec);
        if (standbyId !== null && !isFollowing(standbyId, spec.id)) throw new EngineRefused('It does not follow.');
        primary.commitsWaitFor = standbyId;
        // What was acknowledged without it arrives late, and not at all when the primary dies first.
        if (standbyId !== null) for (const value of primary.data) servers.get(standbyId)!.data.add(value);
      }),
    isInStep: (spec, standbyId) =>
      act('isInStep', spec.id, () => {
        const primary = servers.get(spec.id);
        if (primary && !primary.isRunning && primary.isStandbyInStep !== null) return primary.isStandbyInStep;
        return answering(spec).commitsWaitFor === standbyId && isFollowing(standbyId, spec.id);
      }),
    promote: (spec) =>
      act('promote', spec.id, () => {
        const server = answering(spec);
        Object.assign(server, { isPrimary: true, followsId: null, commitsWaitFor: null });
      }),
    dump: refuse,
    load: refuse,
    hasCommitted: () => Promise.resolve(false),
    empty: refuse,
    explorer: () => {
      throw new EngineRefused('There is nothing to look into.');
    },
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return engine;
}

function refuse(): Promise<never> {
  return Promise.reject(new EngineRefused('It holds no tables.'));
}
