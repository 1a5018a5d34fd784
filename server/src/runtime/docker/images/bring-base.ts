import type Docker from 'dockerode';
import { BuildFailed } from '../../../build/builder.ts';
import type { BaseImage } from '../../../build/image/image-maker.ts';
import { parseReference } from '../../../build/image/image-reference.ts';
import { STACK_IMAGE } from '../../stack-image.ts';
import { isAway } from '../engine.ts';
import { EngineFailed, readEvents } from './engine-stream.ts';

export interface BringOptions {
  registries: readonly string[];
  signal: AbortSignal;
}

/**
 * Fetches the image by its whole name and without a credential, each time: what merely lies in the engine, the
 * images of other builds and of the operator included, is nobody's to build on. Only registries that the operator
 * names are asked, since the engine asks them from where it stands.
 */
export async function bringBase(
  engine: Docker,
  name: string,
  { registries, signal }: BringOptions,
): Promise<BaseImage> {
  if (name === STACK_IMAGE) return describe(engine, name);
  const reference = parseReference(name);
  if (!reference)
    throw new BuildFailed(`The Dockerfile is built on “${name.slice(0, 200)}”, which is no name of an image.`);
  if (!registries.includes(reference.registry)) {
    throw new BuildFailed(
      `Images of ${reference.registry} may not be built on here (${name}). Allowed are ${registries.join(', ')} and ` +
        `${STACK_IMAGE}; the operator can allow others in LILAC_IMAGE_REGISTRIES.`,
    );
  }
  try {
    for await (const event of readEvents(await engine.pull(reference.whole, { abortSignal: signal }))) {
      if (event.error !== undefined) throw new EngineFailed(event);
    }
    return await describe(engine, reference.whole);
  } catch (error) {
    signal.throwIfAborted();
    if (isAway(error)) throw error;
    const why = (error as Error).message.trim().slice(0, 300);
    throw new BuildFailed(
      `The image ${name} cannot be fetched: ${why}. Look whether it exists and everybody may have it.`,
      {
        cause: error,
      },
    );
  }
}

async function describe(engine: Docker, name: string): Promise<BaseImage> {
  const { Id, Config } = await engine.getImage(name).inspect();
  return { id: Id, onBuild: (Config.OnBuild as string[] | null | undefined) ?? [] };
}
