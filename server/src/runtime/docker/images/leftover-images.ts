import type Docker from 'dockerode';
import type { ImageInfo } from 'dockerode';
import { imageLabels } from './image-names.ts';
import { ownBytes } from './measure-build.ts';
import { removeImage } from './remove-image.ts';

/** What steps have left is worth keeping for the next build, so long and so much of it. */
export const LEFTOVER_MS = 24 * 3600_000;
const MAX_BYTES = 20 * 1024 ** 3;

export interface LeftoverOptions {
  installation: string;
  /** Environments whose builds run: what those have left is about to be used. */
  building: ReadonlySet<string>;
  now: number;
  maxBytes?: number;
}

/**
 * Takes away steps that no image is made of, the oldest first: of builds that failed, and of stages that came before
 * the last.
 */
export async function removeLeftovers(engine: Docker, options: LeftoverOptions): Promise<void> {
  const chosen = chooseLeftovers(await engine.listImages({ all: true }), options);
  for (const id of chosen) await removeImage(engine, id);
}

export function chooseLeftovers(images: readonly ImageInfo[], options: LeftoverOptions): string[] {
  const { installation, building, now, maxBytes = MAX_BYTES } = options;
  const known = new Map(ownBytes(images).map((each) => [each.image.Id, each]));
  const parents = new Set(images.map(({ ParentId }) => ParentId));
  const counted = new Set(images.filter(hasName).flatMap((image) => stepsOf(image, known)));
  let total = 0;
  return images
    .filter((image) => image.Labels?.[imageLabels.builtBy] === installation)
    .filter((image) => !hasName(image) && !parents.has(image.Id))
    .toSorted((a, b) => b.Created - a.Created)
    .filter((image) => {
      const own = stepsOf(image, known).filter((id) => !counted.has(id));
      const bytes = own.reduce((sum, id) => sum + known.get(id)!.bytes, 0);
      const isNeeded = building.has(image.Labels?.[imageLabels.builtFor] ?? '');
      const isOver = image.Created * 1000 < now - LEFTOVER_MS || total + bytes > maxBytes;
      if (isOver && !isNeeded) return true;
      total += bytes;
      own.forEach((id) => counted.add(id));
      return false;
    })
    .map(({ Id }) => Id);
}

const hasName = ({ RepoTags }: ImageInfo): boolean => (RepoTags ?? []).some((name) => name !== '<none>:<none>');

/** The image itself, and what it is made of. */
function stepsOf(image: ImageInfo, known: ReadonlyMap<string, { image: ImageInfo }>): string[] {
  const steps: string[] = [];
  for (let each: ImageInfo | undefined = image; each; each = known.get(each.ParentId)?.image) steps.push(each.Id);
  return steps;
}
