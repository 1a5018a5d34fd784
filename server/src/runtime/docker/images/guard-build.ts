import type Docker from 'dockerode';
import { MAX_BUILD_BYTES, watchDisk } from '../../../build/watch-disk.ts';
import { removeContainer } from '../care-for-containers.ts';

/** Threads count too; as many as in other builds. */
const MAX_PIDS = 4096;
const CLEAN_LOOKS = 2;

export interface BuildGuard extends AsyncDisposable {
  /** Aborted, with `BuildFailed` as its reason, where the build writes too much. */
  signal: AbortSignal;
  /** What the steps so far have left counts too. */
  noteImage(id: string): void;
}

export interface GuardOptions {
  engine: Docker;
  /** Nobody is in it but this build: so its containers are known, which the engine makes as it likes. */
  network: string;
  maxBytes?: number | undefined;
  onTrouble: (sentence: string) => void;
}

/** Holds what the engine's builder itself does not: processes, and what is written. Its end is that of the build. */
export async function guardBuild({ engine, network, onTrouble, ...given }: GuardOptions): Promise<BuildGuard> {
  const over = new AbortController();
  const { DockerRootDir } = (await engine.info()) as { DockerRootDir: string };
  let last: string | null = null;
  const measure = async (): Promise<number> => {
    const [running, left] = await Promise.all([writtenBy(engine, network), last === null ? 0 : sizeOf(engine, last)]);
    return running + left;
  };
  const disk = watchDisk([DockerRootDir], { measure, onTrouble, maxBytes: given.maxBytes ?? MAX_BUILD_BYTES });
  await limitProcesses(engine, network, over.signal);
  return {
    signal: disk.signal,
    noteImage: (id) => void (last = id),
    async [Symbol.asyncDispose]() {
      disk[Symbol.dispose]();
      over.abort();
      await endContainers(engine, network);
    },
  };
}

export const LARGEST_FILE_BYTES = MAX_BUILD_BYTES;

/** Each container of the build, as soon as it is in the network: before its program has begun, or hardly later. */
async function limitProcesses(engine: Docker, network: string, signal: AbortSignal): Promise<void> {
  const filters = { type: ['network' as const], event: ['connect'], network: [network] };
  const stream = await engine.getEvents({ filters, abortSignal: signal });
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) limit(engine, line);
  });
  stream.on('error', () => {});
}

function limit(engine: Docker, line: string): void {
  const id = containerIn(line);
  // One that has ended meanwhile needs none.
  if (id)
    engine
      .getContainer(id)
      .update({ PidsLimit: MAX_PIDS })
      .catch(() => {});
}

function containerIn(line: string): string | undefined {
  try {
    const event = JSON.parse(line) as { Actor?: { Attributes?: { container?: string } } };
    return event.Actor?.Attributes?.container;
  } catch {
    // The engine broke off.
    return undefined;
  }
}

async function writtenBy(engine: Docker, network: string): Promise<number> {
  const found = await engine.listContainers({ all: true, size: true, filters: { network: [network] } });
  return found.reduce((sum, container) => sum + ((container as { SizeRw?: number }).SizeRw ?? 0), 0);
}

/** One that a later step has replaced is of no interest. */
async function sizeOf(engine: Docker, image: string): Promise<number> {
  return engine
    .getImage(image)
    .inspect()
    .then(
      ({ Size }) => Size,
      () => 0,
    );
}

/** The engine ends a build whose asker is gone by itself, and may be about to start one more container. */
async function endContainers(engine: Docker, network: string): Promise<void> {
  for (let clean = 0; clean < CLEAN_LOOKS; clean++) {
    const left = await engine.listContainers({ all: true, filters: { network: [network] } });
    if (left.length > 0) clean = -1;
    await Promise.all(left.map(({ Id }) => removeContainer(engine, Id)));
  }
}
