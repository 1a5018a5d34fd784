import { createHash } from 'node:crypto';
import type Docker from 'dockerode';
import { parseReference } from '../../../build/image/image-reference.ts';
import { findImage } from './find-image.ts';
import { baseRepositoryOf } from './image-names.ts';
import { LEFTOVER_MS } from './leftover-images.ts';
import { removeImage } from './remove-image.ts';

/**
 * Images that were fetched to be built on. Each has a name of ours besides its own while it is used, so that it is
 * found and goes again; one that was there before is the operator's, and stays.
 */
export interface BaseImages {
  /** Whether an image of this name is there that is not ours to remove. To be asked before it is fetched. */
  isOthers(whole: string): Promise<boolean>;
  /** It was built on just now. */
  note(whole: string, id: string): Promise<void>;
  /** Takes away those that nobody has built on for a day; what images were made of stays as long as those. */
  sweep(now: number): Promise<void>;
}

export function createBaseImages(engine: Docker, installation: string): BaseImages {
  const repository = baseRepositoryOf(installation);
  const list = () => engine.listImages({ filters: { reference: [repository] } });

  return {
    async isOthers(whole) {
      if ((await findImage(engine, whole)) === null) return false;
      const start = `${repository}:${keyOf(whole)}-`;
      return !(await list()).some(({ RepoTags }) => (RepoTags ?? []).some((tag) => tag.startsWith(start)));
    },
    async note(whole, id) {
      const tag = `${keyOf(whole)}-${id.replace(/^sha256:/, '').slice(0, 32)}`;
      await engine.getImage(id).tag({ repo: repository, tag });
    },
    async sweep(now) {
      for (const { Id } of await list()) {
        const image = await findImage(engine, Id);
        if (!image || image.namedAt > now - LEFTOVER_MS) continue;
        const { RepoTags, RepoDigests } = image;
        const ours = RepoTags.filter((name) => name.startsWith(`${repository}:`));
        const keys = ours.map((name) => name.slice(repository.length + 1).split('-')[0]);
        const theirs = [...RepoTags, ...RepoDigests].filter((name) => keys.includes(keyOf(wholeOf(name))));
        // Ours go last: whoever is killed in the middle finds the others again.
        for (const name of [...theirs, ...ours]) await removeImage(engine, name);
      }
    },
  };
}

/** The engine shortens names when it tells them. */
const wholeOf = (name: string): string => parseReference(name)?.whole ?? name;

/** A tag can have no slash in it. */
const keyOf = (whole: string): string => createHash('sha256').update(whole).digest('hex').slice(0, 32);
