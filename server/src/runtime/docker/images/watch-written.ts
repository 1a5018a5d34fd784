import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { ContainerInfo } from 'dockerode';
import { reserveOf, spaceOf, type Space } from '../../../lib/disk-space.ts';
import type { Log } from '../../../lib/log.ts';
import { outputFilesOf } from '../../output/output-files.ts';
import { containerName } from '../container-options.ts';
import { isAway, isConflict, isNotFound } from '../engine-errors.ts';
import { labelNames } from '../network-book.ts';
import { imageLabels } from './image-names.ts';

export interface WatchOptions {
  engine: Docker;
  installation: string;
  /** Where outputs of instances lie. */
  outputs: string;
  log: Log;
  everyMs?: number;
  maxBytes?: number;
}

/** What is written into the image's own files, at most: what is larger is one file that has no end, or a mistake. */
const MAX_WRITTEN_BYTES = 2 * 1024 ** 3;
const EVERY_MS = 10_000;
/** The engine looks at every file that was written: no more than this part of the time. */
const SHARE = 1 / 20;
/** Whoever wrote less is not why the disk is full. */
const MODEST_BYTES = 64 * 1024 ** 2;

/**
 * Instances of images write into their own files on the engine's disk, which most file systems cannot bound. This
 * ends those that have written too much; where the disk itself runs full, the one that has written most.
 */
export function watchWritten(options: WatchOptions): { close(): void } {
  const { log, everyMs = EVERY_MS } = options;
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    for (let waitMs = everyMs; ;) {
      await delay(waitMs, undefined, { ref: false, signal: over.signal });
      const startedAt = performance.now();
      await look(options).catch((error: unknown) => {
        if (!isAway(error)) log.error({ err: error }, 'what instances have written cannot be measured');
      });
      waitMs = Math.max(everyMs, (performance.now() - startedAt) / SHARE);
    }
  };
  watch().catch(() => {});
  return { close: () => over.abort() };
}

interface Writer {
  container: string;
  instanceId: string;
  bytes: number;
}

async function look(options: WatchOptions): Promise<void> {
  const { engine, maxBytes = MAX_WRITTEN_BYTES } = options;
  const writers = await listWriters(options);
  if (writers.length === 0) return;
  const { DockerRootDir } = (await engine.info()) as { DockerRootDir: string };
  for (const writer of chooseEnded(writers, maxBytes, await spaceOf(DockerRootDir)))
    await end(writer, options, maxBytes);
}

export function chooseEnded(writers: readonly Writer[], maxBytes: number, space: Space): Writer[] {
  const excessive = writers.filter(({ bytes }) => bytes > maxBytes);
  if (excessive.length > 0 || space.freeBytes >= reserveOf(space)) return excessive;
  const [most] = writers.toSorted((a, b) => b.bytes - a.bytes);
  return most && most.bytes > MODEST_BYTES ? [most] : [];
}

async function listWriters({ engine, installation }: WatchOptions): Promise<Writer[]> {
  const label = [`${labelNames.installation}=${installation}`, imageLabels.instance];
  // Whether there are any costs nothing to ask.
  if ((await engine.listContainers({ filters: { label } })).length === 0) return [];
  const found = await engine.listContainers({ size: true, filters: { label } });
  return found.filter(isInstance).map((each) => ({
    container: each.Id,
    instanceId: each.Labels[labelNames.instance]!,
    bytes: (each as { SizeRw?: number }).SizeRw ?? 0,
  }));
}

/** A container has the labels of its image too, whoever wrote those; its name only we choose. */
export function isInstance({ Names, Labels }: Pick<ContainerInfo, 'Names' | 'Labels'>): boolean {
  const id = Labels[labelNames.instance] ?? '';
  return /^[a-z0-9_]+$/.test(id) && Names.includes(`/${containerName(id)}`);
}

async function end({ container, instanceId, bytes }: Writer, options: WatchOptions, maxBytes: number): Promise<void> {
  const { engine, outputs, log } = options;
  const why =
    bytes > maxBytes
      ? `it has written more than ${Math.round(maxBytes / 1024 ** 2)} MiB into its own files`
      : 'the disk is full and it has written most';
  log.warn({ instance: instanceId, bytes }, `an instance is ended: ${why}`);
  try {
    appendFileSync(outputFilesOf(join(outputs, instanceId)).stderr, `The platform ended this instance: ${why}.\n`);
    await engine.getContainer(container).kill();
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
