import { join } from 'node:path';
import { overlayOptions } from '../sandbox/prelude.ts';
import { scratch } from './inner-paths.ts';

export interface TableOptions {
  /** Where the memory that the instance may write is mounted. */
  stage: string;
  slug: string;
  folders: readonly PlacedFolder[];
  isRoot: boolean;
  canOverlay: boolean;
}

export interface PlacedFolder {
  from: string;
  /** Relative to the stage. */
  place: string;
}

/**
 * What is mounted for an instance, as `mount -a` reads it: one process for all, and each costs about two milliseconds.
 */
export function mountTable({ stage, slug, folders, isRoot, canOverlay }: TableOptions): string {
  const layers = { lower: slug, upper: join(stage, scratch.upper), work: join(stage, scratch.work) };
  const app = canOverlay
    ? line('overlay', join(stage, scratch.app), 'overlay', overlayOptions(layers, isRoot))
    : line(slug, join(stage, scratch.app), 'none', 'bind');
  return [app, ...folders.map(({ from, place }) => line(from, join(stage, place), 'none', 'bind'))].join('');
}

/** `X-`, not `x-`: nothing is to be written down about it. */
function line(source: string, target: string, type: string, options: string): string {
  return `${[source, target, type, `X-mount.mkdir,${options}`].map(escape).join(' ')} 0 0\n`;
}

const escape = (field: string): string =>
  field.replaceAll(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
