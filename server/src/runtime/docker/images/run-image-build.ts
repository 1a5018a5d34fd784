import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { BuildFailed } from '../../../build/builder.ts';
import type { BuiltImage, ImageBuild } from '../../../build/image/image-maker.ts';
import type { Log } from '../../../lib/log.ts';
import { processorTime } from '../../../sandbox/cgroups/cgroup.ts';
import { EngineFailed } from './engine-stream.ts';
import { followBuild } from './follow-build.ts';
import { guardBuild, LARGEST_FILE_BYTES } from './guard-build.ts';
import { describeImage, readImage } from './read-image.ts';

export interface RunOptions {
  engine: Docker;
  /** The image's. */
  name: string;
  network: string;
  /** What every step of it bears. */
  labels: Readonly<Record<string, string>>;
  log: Log;
  request: ImageBuild;
}

const OUT_OF_MEMORY = 137;

/** Has the engine's plain builder build: the same in every engine, and with a network that can be told. */
export async function runImageBuild({ request, name, ...options }: RunOptions): Promise<BuiltImage> {
  const { engine, network } = options;
  const onTrouble = (sentence: string): void => request.onLine(`Warning: ${sentence}`);
  await using guard = await guardBuild({ ...options, maxBytes: request.limits.maxBytes, onTrouble });
  const signal = AbortSignal.any([request.signal, guard.signal, failureOf(request.context)]);
  try {
    const asked = { ...buildOptions(request), t: name, networkmode: network, abortSignal: signal };
    const stream = await engine.buildImage(request.context, asked);
    await followBuild(stream, {
      onStep: (index) => request.onStep(index),
      onLine: (line) => request.onLine(line),
    });
    signal.throwIfAborted();
    requirePlainVolumes((await readImage(engine, name)).volumes);
    return await describeImage(engine, name);
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, request);
  }
}

/** The engine would wait for the rest for ever. */
function failureOf(context: Readable): AbortSignal {
  const failed = new AbortController();
  if (context.errored) failed.abort(context.errored);
  context.once('error', (error) => failed.abort(error));
  return failed.signal;
}

function buildOptions({ dockerfile, args, limits }: ImageBuild) {
  const bytes = limits.memoryMb * 1024 ** 2;
  const { periodUs, quotaUs } = processorTime(limits);
  const files = { Name: 'fsize', Soft: LARGEST_FILE_BYTES, Hard: LARGEST_FILE_BYTES };
  return {
    // Not BuildKit.
    version: '1' as const,
    dockerfile,
    rm: true,
    forcerm: true,
    memory: bytes,
    memswap: bytes,
    ...(quotaUs !== null && { cpuperiod: periodUs, cpuquota: quotaUs }),
    ulimits: JSON.stringify([files]),
    buildargs: { ...args },
  };
}

/** An instance is given memory there; of any other the engine would make a folder on its disk, which nobody bounds. */
function requirePlainVolumes(volumes: readonly string[]): void {
  const wrong = volumes.find((path) => !/^\/[^/]/.test(path) || /(^|\/)\.{1,2}(\/|$)/.test(path));
  if (wrong === undefined) return;
  throw new BuildFailed(`VOLUME ${wrong.slice(0, 100)}: a volume must be a whole path such as /data. Write it so.`);
}

function explain(error: unknown, { limits }: ImageBuild): unknown {
  if (error instanceof BuildFailed) return error;
  if (error instanceof EngineFailed) {
    if (error.exitCode === OUT_OF_MEMORY) {
      return new BuildFailed(
        `${sentence(error.message)} It was ended, most likely because it ran out of memory (limit ${limits.memoryMb} MiB). ` +
          'Let it use less, or raise LILAC_BUILD_MEMORY on the platform.',
      );
    }
    return new BuildFailed(`The Dockerfile could not be built: ${sentence(error.message)}`);
  }
  const { statusCode, message } = error as { statusCode?: number; message: string };
  const isTheirs = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return isTheirs ? new BuildFailed(`The Dockerfile could not be built: ${sentence(message)}`) : error;
}

const sentence = (text: string): string => text.trim().slice(0, 500).replace(/\.?$/, '.');
