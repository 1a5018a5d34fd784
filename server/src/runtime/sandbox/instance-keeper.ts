import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from '../../lib/exec.ts';
import type { Log } from '../../lib/log.ts';
import { identify, isAlive } from '../../lib/process-identity.ts';
import type { Instance, InstanceExit, Listener, Usage } from '../runtime.ts';
import { clearAway, endAll, endGently } from './end-instance.ts';
import { findInstance, type FoundInstance } from './find-instance.ts';
import { describeHeld, processesOf, type HeldInstance } from './held-instance.ts';
import { describeExit, readStatus } from './instance-exit.ts';
import { rotateOutput, tailOutput } from './instance-output.ts';
import { isBeingStopped, listNames, noteStopping, type InstanceRecord } from './instance-record.ts';
import type { InstanceNetworks } from './network.ts';
import { readUsage } from './read-usage.ts';
import { sweepInstances } from './sweep-instances.ts';

export interface KeeperDeps {
  root: string;
  log: Log;
  networks: InstanceNetworks;
  /** Who is told of ends. */
  listeners: Set<ExitListener>;
}

export type ExitListener = (exit: InstanceExit) => void;

const POLL_MS = 250;
const POLLS_PER_ROTATION = 4;

export type InstanceKeeper = ReturnType<typeof createInstanceKeeper>;

/** Knows what runs, sees it end, and ends it. */
export function createInstanceKeeper({ root, log, networks, listeners }: KeeperDeps) {
  const known = new Map<string, HeldInstance>();
  const reserved = new Set<string>();
  const stops = new Map<string, { hurry: AbortController; done: Promise<void> }>();
  let timer: NodeJS.Timeout | undefined;
  let polls = 0;

  async function noteEnd(held: HeldInstance, exitCode: number | null): Promise<void> {
    if (held.exit) return;
    held.exit = describeExit(exitCode, held.record.cgroup);
    const { exit, folder, record } = held;
    // Only the first process counts: what it leaves behind goes with it.
    await endAll(held).catch((error: unknown) => log.error({ err: error, instance: record.id }, 'it cannot be ended'));
    if (held.isStopping || isBeingStopped(folder) || !existsSync(folder)) return;
    for (const listener of listeners) {
      listener({ instanceId: record.id, environmentId: record.environmentId, ...exit });
    }
  }

  function look(): void {
    for (const held of known.values()) {
      if (held.exit) continue;
      if (!held.isChild && !isAlive(held.process)) void noteEnd(held, readStatus(held.folder).exitCode);
      else if (polls % POLLS_PER_ROTATION === 0) tryRotating(held);
    }
    polls++;
  }

  function tryRotating({ folder, record }: HeldInstance): void {
    try {
      rotateOutput(folder);
    } catch (error) {
      log.error({ err: error, instance: record.id }, 'its output cannot be rotated');
    }
  }

  function adopt({ record, folder, process }: FoundInstance): void {
    const held: HeldInstance = { record, folder, process, isChild: false, isStopping: false, exit: null };
    if (!isAlive(process)) held.exit = describeExit(readStatus(folder).exitCode, record.cgroup);
    known.set(record.id, held);
  }

  /** Other processes of the platform may have started some, and stopped others. */
  function refresh(): void {
    const names = new Set(listNames(root));
    for (const id of known.keys()) if (!names.has(id)) known.delete(id);
    const unknown = [...names].filter((name) => !known.has(name) && !reserved.has(name));
    for (const name of unknown) {
      const found = findInstance(join(root, name));
      if (found) adopt(found);
    }
  }

  async function stopHeld(held: HeldInstance, hurry: AbortSignal): Promise<void> {
    held.isStopping = true;
    noteStopping(held.folder);
    if (!held.exit) await endGently(held, hurry);
    await endAll(held);
    await clearAway(held, networks);
    known.delete(held.record.id);
  }

  return {
    async open(): Promise<void> {
      await sweepInstances({ root, log, networks });
      refresh();
      timer = setInterval(look, POLL_MS).unref();
    },
    async close(): Promise<void> {
      clearInterval(timer);
      listeners.clear();
    },
    /** It is being started here: until it is held, nobody is to find it. */
    reserve(id: string): Disposable {
      reserved.add(id);
      return { [Symbol.dispose]: () => void reserved.delete(id) };
    },
    hold({ record, folder, child }: { record: InstanceRecord; folder: string; child: ChildProcess }): void {
      // It may have ended already: a start time that no process has is one that is gone.
      const process = identify(child.pid ?? 0) ?? { pid: child.pid ?? 0, startTime: '' };
      const held: HeldInstance = { record, folder, process, isChild: true, isStopping: false, exit: null };
      known.set(record.id, held);
      if (child.exitCode !== null || child.signalCode !== null) void noteEnd(held, child.exitCode);
      else child.once('exit', (code) => void noteEnd(held, code));
    },
    find: (id: string): HeldInstance | undefined => known.get(id),
    list(): Instance[] {
      refresh();
      return [...known.values()].filter(({ isStopping }) => !isStopping).map(describeHeld);
    },
    usage(): Map<string, Usage> {
      refresh();
      const running = [...known.values()].filter(({ exit }) => exit === null);
      return new Map(running.map((held) => [held.record.id, readUsage(held.record.cgroup, () => processesOf(held))]));
    },
    async listeners(id: string): Promise<Listener[]> {
      const held = known.get(id);
      return held && !held.exit ? networks.listeners(held.record.lease, processesOf(held)) : [];
    },
    tail: (id: string, count: number): string[] => (known.has(id) ? tailOutput(join(root, id), count) : []),
    async stop(id: string, { graceMs }: { graceMs: number }): Promise<void> {
      if (!known.has(id)) refresh();
      const held = known.get(id);
      if (!held && !stops.has(id)) return;
      const stopping = stops.get(id) ?? beginStop(held as HeldInstance);
      const overdue = setTimeout(() => stopping.hurry.abort(), graceMs);
      await stopping.done.finally(() => clearTimeout(overdue));
    },
  };

  function beginStop(held: HeldInstance) {
    const hurry = new AbortController();
    const done = stopHeld(held, hurry.signal).finally(() => stops.delete(held.record.id));
    const stopping = { hurry, done };
    stops.set(held.record.id, stopping);
    return stopping;
  }
}
