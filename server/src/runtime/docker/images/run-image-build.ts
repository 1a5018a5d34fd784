import type Docker from 'dockerode';
import { BuildFailed } from '../../../build/builder.ts';
import type { BuiltImage, ImageBuild } from '../../../build/image/image-maker.ts';
import { processorTime } from '../../../sandbox/cgroups/cgroup.ts';
import { EngineFailed } from './engine-stream.ts';
import { followBuild } from './follow-build.ts';
import { guardBuild, LARGEST_FILE_BYTES } from './guard-build.ts';
import { describeImage } from './read-image.ts';

export interface RunOptions {
  engine: Docker;
  /** The image's. */
  name: string;
  network: string;
  request: ImageBuild;
}

const OUT_OF_MEMORY = 137;

/** Has the engine's plain builder build: the same in every engine, and with a network that can be told. */
export async function runImageBuild({ engine, name, network, request }: RunOptions): Promise<BuiltImage> {
  const onTrouble = (sentence: string): void => request.onLine(`Warning: ${sentence}`);
  await using guard = await guardBuild({ engine, network, maxBytes: request.limits.maxBytes, onTrouble });
  const signal = AbortSignal.any([request.signal, guard.signal]);
  try {
    const options = { ...buildOptions(request), t: name, networkmode: network, abortSignal: signal };
    const stream = await engine.buildImage(request.context, options);
    await followBuild(stream, {
      onStep: (index) => request.onStep(index),
      onLine: (line) => request.onLine(line),
      onImage: (id) => guard.noteImage(id),
    });
    signal.throwIfAborted();
    return await describeImage(engine, name);
  } catch (error) {
    request.context.destroy();
    signal.throwIfAborted();
    throw explain(error, request);
  }
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

function explain(error: unknown, { limits }: ImageBuild): unknown {
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
