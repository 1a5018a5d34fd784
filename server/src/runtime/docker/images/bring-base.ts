import type Docker from 'dockerode';
import { BuildFailed } from '../../../build/builder.ts';
import type { ImageBuild } from '../../../build/image/image-maker.ts';
import { parseReference } from '../../../build/image/image-reference.ts';
import { STACK_IMAGE } from '../../stack-image.ts';
import { isAway } from '../engine-errors.ts';
import type { BaseImages } from './base-images.ts';
import { rootOf, watchRoom } from './engine-room.ts';
import { EngineFailed, readEvents } from './engine-stream.ts';

export interface BringOptions extends Pick<ImageBuild, 'signal' | 'onLine'> {
  engine: Docker;
  bases: BaseImages;
  registries: readonly string[];
}

/**
 * Fetches the image by its whole name and without a credential, each time: what merely lies in the engine, the
 * images of other builds and of the operator included, is nobody's to build on. Only registries that the operator
 * names are asked, since the engine asks them from where it stands. Answers with its id.
 */
export async function bringBase(name: string, options: BringOptions): Promise<string> {
  const { engine, bases, registries, signal } = options;
  if (name === STACK_IMAGE) return (await engine.getImage(name).inspect()).Id;
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
    const isOthers = await bases.isOthers(reference.whole);
    await pull(reference.whole, options);
    const { Id, Config } = await engine.getImage(reference.whole).inspect();
    if (!isOthers) await bases.note(reference.whole, Id);
    requireHarmless(name, Config);
    return Id;
  } catch (error) {
    signal.throwIfAborted();
    if (isAway(error) || error instanceof BuildFailed) throw error;
    const why = (error as Error).message.trim().slice(0, 300);
    throw new BuildFailed(
      `The image ${name} cannot be fetched: ${why}. Look whether it exists and everybody may have it.`,
      { cause: error },
    );
  }
}

/** Nobody knows before how large it is, unpacked. */
async function pull(whole: string, { engine, signal, onLine }: BringOptions): Promise<void> {
  using room = watchRoom(await rootOf(engine), { onTrouble: (sentence) => onLine(`Warning: ${sentence}`) });
  try {
    const abortSignal = AbortSignal.any([signal, room.signal]);
    for await (const event of readEvents(await engine.pull(whole, { abortSignal }))) {
      if (event.error !== undefined) throw new EngineFailed(event);
    }
  } catch (error) {
    room.signal.throwIfAborted();
    throw error;
  }
}

/** The engine does by itself what an image has its children do, and hands its labels on to whatever it makes of it. */
function requireHarmless(name: string, config: { OnBuild?: unknown; Labels?: Record<string, string> | null }): void {
  const triggers = (config.OnBuild as string[] | null | undefined) ?? [];
  if (triggers.length > 0) {
    throw new BuildFailed(
      `The image ${name} has whoever builds on it do more (ONBUILD ${triggers[0]!.slice(0, 100)}), which is not allowed ` +
        'here. Build on another image, and write these steps into your Dockerfile.',
    );
  }
  if (!Object.keys(config.Labels ?? {}).some((label) => /^lilac[.]/i.test(label))) return;
  throw new BuildFailed(`The image ${name} has labels of the platform’s own (lilac.…). Build on another image.`);
}
