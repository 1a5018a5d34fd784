import { chownSync, closeSync, openSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Log } from '../../lib/log.ts';
import { keepLogSmall } from '../../store/keep-log-small.ts';
import { EngineRefused } from '../engine.ts';
import { filesOf } from '../host/place-files.ts';
import type { HeldServer, ServerFolder } from '../host/processes.ts';
import type { ServerProgram } from '../host/server-host.ts';
import type { ServerSize } from '../server.ts';
import { endsWithin, removeContainer, sendSignal } from './container-ends.ts';
import { usageOf } from './container-usage.ts';
import { createContainerView } from './container-view.ts';
import { asRefused } from './engine-failures.ts';
import { planService } from './plan-service.ts';
import { createServiceEngine, type ServiceEngineDeps } from './service-engine.ts';
import { clearMarks, hasMarks, markedLaunch, markLaunch, shutMarks } from './service-marks.ts';
import { limitsOf, serviceName, serviceSpec, type ServicePlan } from './service-spec.ts';
import { createService, listServices, readTask, removeService } from './swarm-services.ts';

/** Servers as services of the swarm, each pinned to this machine, where its files are. */
export interface ServiceProcesses {
  /** Null: they can be started here. Else what keeps them from it. Rejects while nobody can tell. */
  lacking(): Promise<string | null>;
  /** Names the run; null when it does not run. Where nobody could look yet, what was noted counts. */
  runOf(server: ServerFolder): string | null;
  launch(server: HeldServer, program: ServerProgram, setpriv: string | null): Promise<void>;
  end(server: HeldServer, steps: readonly { signal: NodeJS.Signals; waitMs: number }[]): Promise<void>;
  kill(server: HeldServer): Promise<void>;
  /** Clears away what is left of one that does not run any more; one that runs is watched already. */
  adopt(server: HeldServer): Promise<void>;
  setLimits(server: HeldServer): void;
  usage(server: HeldServer): Promise<{ cpuSeconds: number; memoryBytes: number }>;
  onExit(listener: (serverId: string) => void): () => void;
  /** Begins to watch. Services of servers that are not among the known are removed. */
  open(known: ReadonlySet<string>): Promise<void>;
  close(): void;
}

const TRIES = 5;
const BEGIN_MS = 60_000;
/** Until then the swarm has found a machine for a task; there is only one that it may take. */
const PLACE_MS = 5000;
const GONE_MS = 60_000;
const LOOK_AGAIN_MS = 25;
/** The swarm is asked less often than the engine of the machine. */
const ROUNDS_PER_TASK = 8;
/** What the swarm says where a machine has promised its memory to others. */
const NO_ROOM = 'insufficient resources';
/** A task in one of these will not run any more. */
const OVER = ['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned'];

export function createServiceProcesses({ log, ...deps }: ServiceEngineDeps & { log: Log }): ServiceProcesses {
  const engine = createServiceEngine(deps);
  const view = createContainerView({ ask: () => engine.ask(), log });
  /** Limits are set one after another. */
  const limiting = new Map<string, Promise<void>>();

  /** Resolves when its program has begun, whatever has become of it since. */
  async function begin(server: HeldServer, plan: ServicePlan): Promise<void> {
    const { docker } = await engine.ask();
    const spec = serviceSpec(plan);
    for (let attempt = 1; !(await createService(docker, spec)); attempt++) {
      // Somebody who was killed had asked for one just before.
      if (attempt === TRIES) throw new EngineRefused(`The swarm has another service ${spec.Name}: remove that.`);
      await removeService(docker, spec.Name);
      await removeContainers(docker, server, { kept: plan.launch });
    }
    await untilBegun(docker, spec.Name, plan);
  }

  async function untilBegun(docker: Docker, name: string, { serverId, launch }: ServicePlan): Promise<void> {
    const hasBegun = async () => {
      await view.look();
      return view.all(serverId).some((each) => each.launch === launch && each.hasBegun);
    };
    const deadline = Date.now() + BEGIN_MS;
    for (let round = 0; !(await hasBegun()); round++) {
      const task = round % ROUNDS_PER_TASK === 0 ? await readTask(docker, name) : null;
      const isOver = task !== null && OVER.includes(task.state);
      const isNowhere = task?.state === 'pending' && Date.now() > deadline - BEGIN_MS + PLACE_MS;
      if (isOver || isNowhere || Date.now() > deadline) {
        if (await hasBegun()) return;
        const words = (task ?? (await readTask(docker, name)))?.words || 'it was not begun in time';
        throw new EngineRefused(`The swarm does not start the server of this database: ${words}.`);
      }
      await delay(LOOK_AGAIN_MS);
    }
  }

  /** Whatever they are at, all but those of the start that is `kept`. */
  async function removeContainers(docker: Docker, { record }: HeldServer, { kept = '' } = {}): Promise<void> {
    const { serverId } = record;
    const deadline = Date.now() + GONE_MS;
    for (;;) {
      await view.look();
      const left = view.all(serverId).filter(({ launch }) => launch !== kept);
      if (left.length === 0) return;
      if (Date.now() > deadline) throw new Error(`containers of ${serverId} cannot be removed`);
      for (const { id } of left) await removeContainer(docker, id);
    }
  }

  /** When it resolves nothing of it runs, and nothing of it can be started any more. */
  async function clear(server: HeldServer): Promise<void> {
    const { record, folder } = server;
    if (!hasMarks(folder)) return;
    const { docker, installation } = await engine.ask();
    view.expect(record.serverId);
    shutMarks(folder);
    await removeContainers(docker, server);
    try {
      await removeService(docker, serviceName(installation, record.serverId));
    } catch (error) {
      // It starts nothing any more. The next start removes it, or whoever opens next.
      log.warn({ err: error, server: record.serverId }, 'the service of a database is left: the swarm does not answer');
      return;
    }
    // One that was being made can be left, and was never started.
    await removeContainers(docker, server);
    clearMarks(folder);
  }

  async function sweep(known: ReadonlySet<string>): Promise<void> {
    const { docker, installation } = await engine.ask();
    const strays = (await listServices(docker, installation)).filter(({ serverId }) => !known.has(serverId));
    for (const { name, serverId } of strays) {
      log.warn({ server: serverId }, 'a service of a database that is not here any more is removed');
      await removeService(docker, name);
    }
  }

  async function applyLimits(serverId: string, size: ServerSize): Promise<void> {
    const main = view.running(serverId);
    if (!main) return;
    const { docker } = await engine.ask();
    await docker.getContainer(main.id).update(limitsOf(size));
  }

  function setLimits(serverId: string, size: ServerSize): void {
    const before = limiting.get(serverId) ?? Promise.resolve();
    const mine: Promise<void> = before
      .then(() => applyLimits(serverId, size))
      .catch((error: unknown) => log.warn({ err: error, server: serverId }, 'the limits of a database are not set'))
      .finally(() => {
        if (limiting.get(serverId) === mine) limiting.delete(serverId);
      });
    limiting.set(serverId, mine);
  }

  async function launch(server: HeldServer, program: ServerProgram, setpriv: string | null): Promise<void> {
    const { serverId, uid, size } = server.record;
    await view.look();
    if (view.running(serverId)) throw new Error(`${serverId} runs already`);
    const { ground, lacking } = await engine.ground();
    if (!ground) throw new EngineRefused(`Servers of databases cannot be services here: ${lacking}.`);
    await clear(server);
    const { log: logFile } = filesOf(server.folder);
    const hasRunBefore = (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 0;
    openLog(logFile, uid);
    const { machine } = await engine.ask();
    const attempt = async (isReserved: boolean) => {
      const launch = markLaunch(server.folder);
      try {
        await begin(server, planService(server, { machine, ground, launch, isReserved, program, setpriv }));
      } catch (error) {
        await clear(server).catch(() => {});
        throw error;
      }
    };
    try {
      await attempt(true);
    } catch (error) {
      // Instances can be anywhere, and this only here: who was given its room while it was away does not keep it away.
      if (!hasRunBefore || !String(error).includes(NO_ROOM)) throw error;
      log.warn({ server: serverId }, 'a database is started though its machine has promised its memory to others');
      await attempt(false);
    }
    view.begun(serverId);
    setLimits(serverId, size);
    await view.look();
  }

  async function end(server: HeldServer, steps: readonly { signal: NodeJS.Signals; waitMs: number }[]): Promise<void> {
    if (!hasMarks(server.folder)) return;
    view.expect(server.record.serverId);
    const { docker } = await engine.ask();
    await view.look();
    const main = view.running(server.record.serverId);
    for (const { signal, waitMs } of main ? steps : []) {
      await sendSignal(docker, main!.id, signal);
      if (await endsWithin(docker, main!.id, waitMs)) break;
    }
    await clear(server);
  }

  return {
    lacking: () => refusing(async () => (await engine.ground()).lacking),
    runOf: ({ serverId, folder }) => (view.isKnown() ? (view.running(serverId)?.id ?? null) : markedLaunch(folder)),
    launch: (server, program, setpriv) => refusing(() => launch(server, program, setpriv)),
    end: (server, steps) => refusing(() => end(server, steps)),
    kill: (server) => refusing(() => clear(server)),
    async adopt(server) {
      const isOver = view.isKnown() && view.running(server.record.serverId) === null;
      if (isOver) await clear(server);
    },
    setLimits: ({ record }) => setLimits(record.serverId, record.size),
    usage: ({ record }) =>
      refusing(async () => {
        const main = view.running(record.serverId);
        if (!main) throw new EngineRefused('The server of this database does not run.');
        const { docker } = await engine.ask();
        const stats = await docker.getContainer(main.id).stats({ stream: false, 'one-shot': true });
        return usageOf(stats);
      }),
    onExit: (listener) => view.onExit(listener),
    async open(known) {
      view.open();
      try {
        await view.look();
        await sweep(known);
      } catch (error) {
        log.warn({ err: error }, 'the services of databases cannot be looked at yet');
      }
    },
    close: () => view.close(),
  };
}

/** It is the server's own, in a folder that is not: nobody but the platform and this server reaches it. */
function openLog(path: string, uid: number | null): void {
  keepLogSmall(path);
  closeSync(openSync(path, 'a', 0o600));
  if (uid !== null) chownSync(path, uid, uid);
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asRefused(error);
  }
}
