import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathsOf, type Config } from '../../config.ts';
import { findInstance, findRemains } from '../held/find-instance.ts';
import { holdBack, isHeldBack, letGo } from '../held/hold-back.ts';
import { listNames } from '../held/instance-record.ts';
import { InstanceOutputs } from './instance-outputs.ts';
import { listOutputFolders, outputFilesOf } from './output-files.ts';
import { isWorthTrimming, mustWait, nextLookMs, type UsedBytes } from './output-pressure.ts';

/** Keeps what instances write from filling the disk, whoever else is killed. */
export interface OutputGuard {
  /** Somebody reads the outputs from now on, and trims them: nobody else may. Settles when this is so. */
  handOver(): Promise<void>;
  /** Whoever they were handed over to is gone. */
  takeBack(): void;
  close(): Promise<void>;
}

export interface OutputGuardDeps {
  config: Config;
  say: (message: string, fields: Record<string, unknown>) => void;
}

/**
 * Instances belong to no process of the platform, and write on when the worker is killed. This looks at what they
 * take of the disk, in a process that outlives it; trims where no worker does; and lets those stand still that
 * write faster than anybody trims.
 */
export function guardOutputs({ config, say }: OutputGuardDeps): OutputGuard {
  const { instances, outputs: root } = pathsOf(config);
  const log = {
    error: ({ err, instance }: { err: unknown; instance: string }, message: string) =>
      say(message, { instance, reason: err instanceof Error ? err.message : String(err) }),
  };
  const openOutputs = () => new InstanceOutputs({ root, log });
  /** Null while they are somebody else's. What was noted meanwhile is read anew. */
  let own: InstanceOutputs | null = openOutputs();
  const trims = new Set<Promise<void>>();
  // Whoever was killed may have left some standing still.
  const held = new Set(listNames(instances).filter((id) => isHeldBack(join(instances, id))));
  const told = new Set<string>();
  let lastSums = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const used = new Map(listOutputFolders(root).map((id) => [id, usedBytesOf(join(root, id))]));
    for (const [id, bytes] of used) attend(id, bytes);
    for (const id of held) if (!used.has(id)) release(id);
    const grown = [...used].map(([id, { sum }]) => sum - (lastSums.get(id) ?? 0));
    lastSums = new Map([...used].map(([id, { sum }]) => [id, sum]));
    for (const id of told) if (!used.has(id)) told.delete(id);
    again(nextLookMs({ grownBytes: Math.max(0, ...grown), heldCount: held.size, count: used.size }));
  }

  function attend(id: string, bytes: UsedBytes): void {
    if (mustWait(bytes, { isHeld: held.has(id) })) hold(id);
    else if (held.has(id)) release(id);
    if (own && isWorthTrimming(bytes)) trim(own, id);
  }

  /** Again at every look: where processes are stopped one by one, new ones may have come. */
  function hold(id: string): void {
    const instance = findInstance(join(instances, id));
    // It may have ended, or is about to: then nobody may stand in its way.
    if (!instance) return release(id);
    held.add(id);
    holdBack(instance);
    if (told.has(id)) return;
    told.add(id);
    say('An instance writes faster than its output can be given back: it has to wait now and then', { instance: id });
  }

  function release(id: string): void {
    if (!held.delete(id)) return;
    const remains = findRemains(join(instances, id));
    if (remains) letGo(remains);
  }

  function trim(outputs: InstanceOutputs, id: string): void {
    const trimming = outputs.trim(id).finally(() => trims.delete(trimming));
    trims.add(trimming);
  }

  function again(waitMs: number): void {
    timer = setTimeout(lookSafely, waitMs).unref();
  }

  /** A full disk, or one that cannot be read, must not end the platform. */
  function lookSafely(): void {
    try {
      look();
    } catch (error) {
      say('The output of instances cannot be looked at', { reason: (error as Error).message });
      again(LATER_MS);
    }
  }

  lookSafely();
  return {
    async handOver() {
      own = null;
      await Promise.all(trims);
    },
    takeBack() {
      own ??= openOutputs();
    },
    async close() {
      clearTimeout(timer);
      for (const id of held) release(id);
      await Promise.all(trims);
    },
  };
}

const LATER_MS = 1000;

function usedBytesOf(folder: string): UsedBytes {
  const { stdout, stderr } = outputFilesOf(folder);
  const sizes = [stdout, stderr].map((path) => (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512);
  return { most: Math.max(...sizes), sum: sizes[0]! + sizes[1]! };
}
