import type Docker from 'dockerode';
import type { ContainerInfo, ImageInfo } from 'dockerode';
import { measureFolders } from '../../../build/measure-folders.ts';
import { isNotFound } from '../engine-errors.ts';

export interface MeasuredBuild {
  engine: Docker;
  /** Nobody is in it but this build. */
  network: string;
  /** What every image of the build bears, and none of another one. */
  labels: Readonly<Record<string, string>>;
}

/**
 * Tells what a build has written since: its containers with their volumes, and what its steps have left, of all
 * stages. What it took from builds before is no part of it.
 */
export async function startMeasuring(build: MeasuredBuild): Promise<(signal: AbortSignal) => Promise<number>> {
  const { engine, network } = build;
  const before = new Set((await listSteps(build)).map(({ id }) => id));
  return async (signal) => {
    const filters = { network: [network] };
    const [containers, steps] = await Promise.all([
      engine.listContainers({ all: true, size: true, filters }),
      listSteps(build),
    ]);
    const volumes = await findVolumes(engine, containers);
    const inVolumes = volumes.length === 0 ? 0 : await measureFolders(volumes, signal);
    const written = containers.map((container) => (container as { SizeRw?: number }).SizeRw ?? 0);
    const left = steps.filter(({ id }) => !before.has(id)).map(({ bytes }) => bytes);
    return [inVolumes, ...written, ...left].reduce((sum, bytes) => sum + bytes, 0);
  };
}

/** Their folders; those of containers that end meanwhile go with them. */
async function findVolumes(engine: Docker, containers: readonly ContainerInfo[]): Promise<string[]> {
  const names = containers.flatMap(({ Mounts }) =>
    Mounts.flatMap(({ Type, Name }) => (Type === 'volume' && Name) || []),
  );
  const found = names.map(async (name) => {
    try {
      return [(await engine.getVolume(name).inspect()).Mountpoint];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}

async function listSteps({ engine, labels }: MeasuredBuild): Promise<{ id: string; bytes: number }[]> {
  const bytesOf = ownBytes(await engine.listImages({ all: true }));
  return bytesOf.flatMap(({ image, bytes }) =>
    Object.entries(labels).every(([name, value]) => image.Labels?.[name] === value) ? [{ id: image.Id, bytes }] : [],
  );
}

/** What each image has beyond the one it is made of: their sizes are those of the whole. */
export function ownBytes(images: readonly ImageInfo[]): { image: ImageInfo; bytes: number }[] {
  const sizes = new Map(images.map(({ Id, Size }) => [Id, Size]));
  return images.map((image) => ({ image, bytes: Math.max(0, image.Size - (sizes.get(image.ParentId) ?? 0)) }));
}
