import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from '../../lib/exec.ts';
import type { Log } from '../../lib/log.ts';
import { identify, isAlive } from '../../lib/process-identity.ts';
import type { Instance, InstanceExit, InstanceOutput, Listener, Usage } from '../runtime.ts';
import { endAll, endGently } from './end-instance.ts';
import { findInstance, type FoundInstance } from './find-instance.ts';
import { setProcessorTime } from '../../sandbox/cgroups/cgroup.ts';
import { beginHolding, describeHeld, processesOf, type HeldInstance } from './held-instance.ts';
import type { InstanceCare } from './instance-care.ts';
import { describeExit, readStatus } from './instance-exit.ts';
import { isBeingStopped, listNames, noteStopping, type InstanceRecord } from './instance-record.ts';
import type { InstanceOutputs } from '../output/instance-outputs.ts';
import { readUsage } from './read-usage.ts';
import { sweepInstances } from './sweep-instances.ts';

export interface KeeperDeps {
  root: string;
  log: Log;
  care: InstanceCare;
  outputs: InstanceOutputs;
  /** Who is told of ends. */
  listeners: Set<ExitListener>;
}

export type ExitListener = (exit: InstanceExit) => void;

/** So long an instance may use more processor time than its own: programs work hardest while they start. */
const START_MS = 10_000;
const POLL_MS = 250;

/** Knows what runs, sees it end, and ends it. */
export class InstanceKeeper {
  readonly #deps: KeeperDeps;
  readonly #known = new Map<string, HeldInstance>();
  readonly #reserved = new Set<string>();
  readonly #stops = new Map<string, { hurry: AbortController; done: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  async open(): Promise<void> {
    this.#deps.outputs.open();
    await sweepInstances(this.#deps);
    this.#refresh();
    this.#timer = setInterval(() => this.#look(), POLL_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#deps.listeners.clear();
  }

  /** It is being started here: until it is held, nobody is to find it. */
  reserve(id: string): Disposable {
    this.#reserved.add(id);
    return { [Symbol.dispose]: () => void this.#reserved.delete(id) };
  }

  hold({ record, folder, child }: { record: InstanceRecord; folder: string; child: ChildProcess }): void {
    // It may have ended already: a start time that no process has is one that is gone.
    const process = identify(child.pid ?? 0) ?? { pid: child.pid ?? 0, startTime: '' };
    const held = beginHolding({ record, folder, process }, { isChild: true });
    this.#known.set(record.id, held);
    if (child.exitCode !== null || child.signalCode !== null) void this.#noteEnd(held, child.exitCode);
    else child.once('exit', (code) => void this.#noteEnd(held, code));
  }

  /** One that was started here, by somebody else's hands: its end is found out, not told. */
  keep(found: FoundInstance): void {
    this.#known.set(found.record.id, beginHolding(found, { isChild: false }));
    this.#look();
  }

  /** Looks at once which have ended. */
  look(): void {
    this.#look();
  }

  /** All that are held here. */
  records(): InstanceRecord[] {
    return [...this.#known.values()].map(({ record }) => record);
  }

  find(id: string): HeldInstance | undefined {
    return this.#known.get(id);
  }

  list(): Instance[] {
    this.#refresh();
    return [...this.#known.values()].filter(({ isStopping }) => !isStopping).map(describeHeld);
  }

  usage(): Map<string, Usage> {
    this.#refresh();
    const running = [...this.#known.values()].filter(({ exit }) => exit === null);
    return new Map(running.map((held) => [held.record.id, usageOf(held)]));
  }

  async listeners(id: string): Promise<Listener[]> {
    const held = this.#known.get(id);
    return held && !held.exit ? this.#deps.care.listeners(held, processesOf(held)) : [];
  }

  tail(id: string, count: number): string[] {
    return this.#known.has(id) ? this.#deps.outputs.tail(id, count) : [];
  }

  outputs(): InstanceOutput[] {
    return this.#deps.outputs.list().map((labels) => {
      const isStopped = !this.#isThere(labels.instanceId);
      return { ...labels, isStopped, isOver: isStopped || (this.#known.get(labels.instanceId)?.isOver ?? false) };
    });
  }

  forgetOutput(id: string): void {
    if (this.#isThere(id)) throw new Error(`the output of ${id} cannot be removed: it was not stopped`);
    this.#deps.outputs.forget(id);
  }

  /** Known here, or being started or stopped by somebody. */
  #isThere(id: string): boolean {
    return this.#known.has(id) || existsSync(join(this.#deps.root, id));
  }

  async stop(id: string, { graceMs }: { graceMs: number }): Promise<void> {
    if (!this.#known.has(id)) this.#refresh();
    const held = this.#known.get(id);
    const stopping = this.#stops.get(id) ?? (held && this.#beginStop(held));
    if (!stopping) return;
    const overdue = setTimeout(() => stopping.hurry.abort(), graceMs);
    await stopping.done.finally(() => clearTimeout(overdue));
  }

  #beginStop(held: HeldInstance) {
    const hurry = new AbortController();
    const done = this.#stopHeld(held, hurry.signal).finally(() => this.#stops.delete(held.record.id));
    const stopping = { hurry, done };
    this.#stops.set(held.record.id, stopping);
    return stopping;
  }

  async #stopHeld(held: HeldInstance, hurry: AbortSignal): Promise<void> {
    held.isStopping = true;
    noteStopping(held.folder);
    if (!held.exit) await endGently(held, hurry);
    await endAll(held);
    await this.#deps.care.clearAway(held);
    this.#known.delete(held.record.id);
  }

  /** Other processes of the platform may have started some, and stopped others. */
  #refresh(): void {
    const names = new Set(listNames(this.#deps.root));
    for (const id of this.#known.keys()) if (!names.has(id)) this.#known.delete(id);
    for (const name of names) {
      if (this.#known.has(name) || this.#reserved.has(name)) continue;
      const found = findInstance(join(this.#deps.root, name));
      if (found) this.#adopt(found);
    }
  }

  #adopt(found: FoundInstance): void {
    const { record, folder, process } = found;
    const held = beginHolding(found, { isChild: false });
    if (!isAlive(process)) {
      held.exit = describeExit(readStatus(folder), record.cgroup);
      held.isOver = processesOf(held).length === 0;
    }
    this.#known.set(record.id, held);
  }

  #look(): void {
    for (const held of this.#known.values()) {
      if (held.exit) continue;
      if (!held.isChild && !isAlive(held.process)) void this.#noteEnd(held);
      if (!held.isSlowed && Date.now() - Date.parse(held.record.startedAt) >= START_MS) this.#slow(held);
    }
  }

  #slow(held: HeldInstance): void {
    held.isSlowed = true;
    try {
      setProcessorTime(held.record.cgroup, held.record.cpus);
    } catch (error) {
      // It may have ended at this moment.
      this.#deps.log.debug({ err: error, instance: held.record.id }, 'its processor time cannot be set');
    }
  }

  /** `code` is what its first process gave back to us; left out where it told somebody else. */
  async #noteEnd(held: HeldInstance, code?: number | null): Promise<void> {
    if (held.exit || held.isEnding) return;
    held.isEnding = true;
    const { folder, record } = held;
    if (this.#deps.care.noteEnd) await this.#deps.care.noteEnd(held);
    const status = readStatus(folder);
    const exit = describeExit(code === undefined ? status : { ...status, exitCode: code }, record.cgroup);
    held.exit = exit;
    try {
      // Only the first process counts: what it leaves behind goes with it.
      await endAll(held);
      held.isOver = true;
    } catch (error) {
      this.#deps.log.error({ err: error, instance: record.id }, 'what it left running cannot be ended');
    }
    if (held.isStopping || isBeingStopped(folder) || !existsSync(folder)) return;
    for (const listener of this.#deps.listeners) {
      listener({ instanceId: record.id, environmentId: record.environmentId, ...exit });
    }
  }
}

const usageOf = (held: HeldInstance): Usage => ({
  ...readUsage(held.record.cgroup, () => processesOf(held)),
  cpus: held.record.cpus,
});
