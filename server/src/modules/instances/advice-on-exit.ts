import type { Exit } from '../../runtime/runtime.ts';

/** Shells tell by this that there is no such program; loaders, that it lacks a library. */
export const NOT_FOUND = 127;

export interface RanIn {
  /** The name of the runtime; left out where it does not matter, or is not known. */
  runtime: string | undefined;
  /** Whether the image is that of its own Dockerfile. */
  isOwnImage: boolean;
}

/** What to do about a new instance that ended, after a space; empty where its own output says more. */
export function adviceOn({ exitCode, isMachineLost, isOutOfMemory }: Exit, ranIn: RanIn): string {
  if (isMachineLost) return ' Deploy again.';
  if (isOutOfMemory) return '';
  if (exitCode === NOT_FOUND) return ` ${whereItLacks(ranIn)}`;
  return '';
}

/** Builds see the programs of the machine; servers in containers see those of the stack image, which may have fewer. */
function whereItLacks({ runtime, isOwnImage }: RanIn): string {
  if (isOwnImage) return 'A program that it needs is not in its image.';
  if (runtime !== 'docker' && runtime !== 'swarm') return 'A program that it needs is not installed here.';
  return (
    'A program that it needs is not in the image that servers run on here, whatever builds have. The operator adds it ' +
    'with deploy/stack/make-image.mjs --with <packages> (docs/operating.md, Languages); deploy again then.'
  );
}
