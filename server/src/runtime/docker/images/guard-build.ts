import type Docker from 'dockerode';
import { MAX_BUILD_BYTES } from '../../../build/watch-disk.ts';
import type { Log } from '../../../lib/log.ts';
import { removeContainer } from '../care-for-containers.ts';
import { isConflict, isNotFound } from '../engine-errors.ts';
import { rootOf, watchRoom, type RoomWatch } from './engine-room.ts';
import { startMeasuring, type MeasuredBuild } from './measure-build.ts';

/** Threads count too; as many as in other builds. */
const MAX_PIDS = 4096;
const CLEAN_LOOKS = 2;
const MAX_LOOKS = 1000;

export interface BuildGuard extends AsyncDisposable {
  /** Aborted, with the reason, where the build writes too much, or nobody can hold it any more. */
  signal: AbortSignal;
}

export interface GuardOptions extends MeasuredBuild {
  maxBytes?: number | undefined;
  onTrouble: (sentence: string) => void;
  log: Log;
}

/** Holds what the engine's builder itself does not: processes, and what is written. Its end is that of the build. */
export async function guardBuild(options: GuardOptions): Promise<BuildGuard> {
  const { engine, network, onTrouble, log, maxBytes = MAX_BUILD_BYTES } = options;
  const measureAll = await startMeasuring(options);
  const measure = (_folders: readonly string[], signal: AbortSignal) => measureAll(signal);
  const [over, lost] = [new AbortController(), new AbortController()];
  const room = watchRoom(await rootOf(engine), { measure, onTrouble, maxBytes });
  try {
    await limitProcesses({ engine, network, lost, over: over.signal });
  } catch (error) {
    room[Symbol.dispose]();
    throw error;
  }
  return {
    signal: AbortSignal.any([room.signal, lost.signal]),
    [Symbol.asyncDispose]: () => endGuard({ engine, network, room, over, log }),
  };
}

export const LARGEST_FILE_BYTES = MAX_BUILD_BYTES;

interface Held {
  engine: Docker;
  network: string;
}

/** That not all could be ended now must not hide how the build went: who looks after the engine ends them later. */
async function endGuard(guard: Held & { room: RoomWatch; over: AbortController; log: Log }): Promise<void> {
  const { engine, network, room, over, log } = guard;
  room[Symbol.dispose]();
  over.abort();
  await endContainersIn(engine, network).catch((error: unknown) =>
    log.warn({ err: error, network }, 'what a build has left is ended later'),
  );
}

/** Each container of the build, as soon as it is in the network: before its program has begun, or hardly later. */
async function limitProcesses({ engine, network, lost, over }: Held & { lost: AbortController; over: AbortSignal }) {
  const filters = { type: ['network' as const], event: ['connect'], network: [network] };
  const stream = await engine.getEvents({ filters, abortSignal: over });
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    for (const id of lines.flatMap(containerIn)) void limitStep(engine, id);
  });
  // Of the next container nobody would be told.
  const lose = () => {
    if (!over.aborted) lost.abort(Object.assign(new Error('the engine broke off'), { code: 'ECONNRESET' }));
  };
  stream.on('error', lose).on('close', lose).on('end', lose);
}

/** One that has ended meanwhile needs none; one that cannot be limited must not run. */
export async function limitStep(engine: Pick<Docker, 'getContainer'>, id: string): Promise<void> {
  const container = engine.getContainer(id);
  try {
    await container.update({ PidsLimit: MAX_PIDS });
  } catch (error) {
    // Killed, not removed: a step that is over by now has nothing to be killed, and its files are still to be taken.
    if (!isNotFound(error) && !isConflict(error)) await container.kill().catch(() => {});
  }
}

function containerIn(line: string): string | [] {
  try {
    const event = JSON.parse(line) as { Actor?: { Attributes?: { container?: string } } };
    return event.Actor?.Attributes?.container ?? [];
  } catch {
    // The engine broke off.
    return [];
  }
}

/** The engine ends a build whose asker is gone by itself, and may be about to start one more container. */
export async function endContainersIn(engine: Docker, network: string): Promise<void> {
  for (let clean = 0, looks = 0; clean < CLEAN_LOOKS && looks < MAX_LOOKS; clean++, looks++) {
    const left = await engine.listContainers({ all: true, filters: { network: [network] } });
    if (left.length > 0) clean = -1;
    await Promise.all(left.map(({ Id }) => removeContainer(engine, Id)));
  }
}
