import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SHARED_NETWORK } from '../../../runtime/instance-network-file.ts';
import { StartRefused, type Exit, type Instance, type InstanceSpec, type Runtime } from '../../../runtime/runtime.ts';
import { createStandInOutputs } from './stand-in-outputs.ts';

/** What an instance does; what is left out is what a good one does. */
export interface Behaviour {
  /** Until it listens. */
  bootMs?: number;
  /** It ends by itself, so long after its start. */
  exit?: Exit & { afterMs: number };
  /** It listens on a port of its own choice. */
  isElsewhere?: boolean;
  /** It listens for itself only. */
  isLocal?: boolean;
  /** It never listens. */
  isDeaf?: boolean;
  refusal?: string;
  /** What starts it says nothing before, as an engine that hangs. */
  held?: Promise<void>;
  lines?: string[];
  /** How long it works on each request. */
  answerMs?: number;
  /** What it does with a request instead of telling who it is. */
  respond?: RequestListener;
}

/** Runs instances as servers on loopback ports of this process. It outlives the fleets that use it, as a host does. */
export interface StandInRuntime extends Runtime, AsyncDisposable {
  /** What the instances that are started from now on do. */
  behave: (spec: InstanceSpec) => Behaviour;
  /** Everything that was ever started. */
  readonly started: readonly InstanceSpec[];
  /** Those that were stopped, in their order. */
  readonly stopped: readonly string[];
  /** Called before an instance is asked to end. */
  onStop: (instanceId: string) => void;
  running(): Instance[];
  /** Ends it as if by itself. */
  crash(instanceId: string, exit?: Exit): void;
  /** It runs, and takes no connections any more; or takes them again. */
  deafen(instanceId: string, isDeaf: boolean): Promise<void>;
  /** Of one processor. */
  cpuUse: number;
}

interface Running {
  instance: Instance;
  server: Server;
  realPort: number;
  behaviour: Behaviour;
  isListening: boolean;
}

export function createStandInRuntime(): StandInRuntime {
  const instances = new Map<string, Running>();
  const listeners = new Set<(exit: Exit & { instanceId: string; environmentId: string }) => void>();
  const outputs = createStandInOutputs((id) => instances.get(id)?.instance ?? null);
  const started: InstanceSpec[] = [];
  const stopped: string[] = [];
  const startedAt = performance.now();

  async function listen(running: Running): Promise<void> {
    const { server, realPort, behaviour } = running;
    await new Promise<void>((resolve) => server.listen(realPort, '127.0.0.1', resolve));
    running.isListening = !behaviour.isLocal;
  }

  function silence({ server }: Running): void {
    server.close();
    server.closeAllConnections();
  }

  function end(running: Running, exit: Exit): void {
    if (running.instance.exit) return;
    running.instance.exit = exit;
    silence(running);
    const { id: instanceId, environmentId } = running.instance;
    for (const listener of listeners) listener({ ...exit, instanceId, environmentId });
  }

  async function live(running: Running): Promise<void> {
    const { bootMs = 0, exit, isDeaf, isLocal } = running.behaviour;
    if (exit) setTimeout(() => end(running, exit), exit.afterMs).unref();
    await delay(bootMs);
    if (!running.instance.exit && !isDeaf && !isLocal) await listen(running);
  }

  const runtime: StandInRuntime = {
    behave: () => ({}),
    started,
    stopped,
    onStop: () => {},
    cpuUse: 0,
    running: () => [...instances.values()].map(({ instance }) => instance).filter(({ exit }) => exit === null),
    async start(spec) {
      const known = instances.get(spec.id);
      if (known) return { host: known.instance.host, port: known.instance.port };
      const behaviour = runtime.behave(spec);
      if (behaviour.refusal !== undefined) throw new StartRefused(behaviour.refusal);
      await behaviour.held;
      started.push(spec);
      const { id, organisationId, environmentId, deploymentId } = spec;
      const port = await freePort();
      const address = { host: '127.0.0.1', port };
      const labels = { id, organisationId, environmentId, deploymentId };
      const instance: Instance = { ...labels, ...address, startedAt: new Date(), exit: null };
      const realPort = behaviour.isElsewhere ? await freePort() : port;
      const server = serve(spec, behaviour);
      const running: Running = { instance, server, realPort, behaviour, isListening: false };
      instances.set(id, running);
      outputs.write({ instanceId: id, organisationId, environmentId, deploymentId }, behaviour.lines ?? []);
      void live(running);
      return address;
    },
    async stop(instanceId, { graceMs }) {
      const running = instances.get(instanceId);
      if (!running) return;
      if (!running.instance.exit) runtime.onStop(instanceId);
      running.instance.exit ??= { exitCode: 0, isOutOfMemory: false };
      running.server.close();
      running.server.closeIdleConnections();
      await Promise.race([new Promise((resolve) => running.server.once('close', resolve)), delay(graceMs)]);
      silence(running);
      if (instances.delete(instanceId)) stopped.push(instanceId);
    },
    list: async () => [...instances.values()].map(({ instance }) => ({ ...instance })),
    async usage() {
      const cpuSeconds = (runtime.cpuUse * (performance.now() - startedAt)) / 1000;
      const cpus = new Map(started.map((spec) => [spec.id, spec.cpus]));
      const usageOf = (id: string) => ({ cpuSeconds, memoryBytes: 1_000_000, cpus: cpus.get(id)! });
      return new Map(runtime.running().map(({ id }) => [id, usageOf(id)]));
    },
    async listeners(instanceId) {
      const running = instances.get(instanceId);
      if (!running || running.instance.exit) return [];
      if (running.behaviour.isLocal) return [{ port: running.realPort, isLocal: true }];
      return running.isListening ? [{ port: running.realPort, isLocal: false }] : [];
    },
    tail: async (instanceId, count) => (instances.get(instanceId)?.behaviour.lines ?? []).slice(-count),
    outputs: outputs.outputs,
    readOutput: outputs.readOutput,
    releaseOutput: outputs.releaseOutput,
    forgetOutput: outputs.forgetOutput,
    onExit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setDoors: async () => {},
    network: async () => SHARED_NETWORK,
    isolation: async () => ({ name: 'stand-in', lacking: ['Everything.'] }),
    async open() {},
    async close() {},
    crash: (instanceId, exit = { exitCode: 1, isOutOfMemory: false }) => end(instances.get(instanceId)!, exit),
    async deafen(instanceId, isDeaf) {
      const running = instances.get(instanceId)!;
      if (isDeaf) silence(running);
      else await listen(running);
    },
    async [Symbol.asyncDispose]() {
      for (const running of instances.values()) silence(running);
      instances.clear();
    },
  };
  return runtime;
}

/** Tells who it is and what it was given. */
function serve({ id, deploymentId, env }: InstanceSpec, { answerMs = 0, respond }: Behaviour): Server {
  if (respond) return createServer(respond);
  return createServer((_request, response) => {
    setTimeout(() => response.end(JSON.stringify({ id, deploymentId, env })), answerMs);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createNetServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
