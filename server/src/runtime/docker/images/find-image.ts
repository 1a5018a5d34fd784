import type Docker from 'dockerode';
import type { ImageInspectInfo } from 'dockerode';
import { isNotFound } from '../engine-errors.ts';

export interface FoundImage extends ImageInspectInfo {
  /** When it got its last name, in milliseconds. */
  namedAt: number;
}

/** Null where the engine has none of that name. */
export async function findImage(engine: Docker, name: string): Promise<FoundImage | null> {
  try {
    const image = await engine.getImage(name).inspect();
    const { Metadata } = image as { Metadata?: { LastTagTime?: string } };
    return { ...image, namedAt: new Date(Metadata?.LastTagTime ?? 0).getTime() };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
