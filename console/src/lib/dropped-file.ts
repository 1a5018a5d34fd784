import type { LeftOut } from './source-of.ts';
import type { ZipEntry } from './zip-files/zip-files.ts';

/** What somebody wants to deploy from their computer: an archive, or files that are still to be packed. */
export type Dropped = { name: string } & (DroppedArchive | DroppedFiles);

interface DroppedArchive {
  archive: Blob;
  /** The folder that everything in it lay in, and that was taken off; left out where it is sent as it was. */
  unwrapped?: string;
}

interface DroppedFiles {
  files: ZipEntry[];
  leftOut: LeftOut;
}

let kept: Dropped | null = null;

/** Carries it to the page that deploys it: a file cannot stand in an address. */
export function keepDropped(dropped: Dropped): void {
  kept = dropped;
}

/** To be read while drawing, which may happen more than once before it counts. */
export function keptDropped(): Dropped | null {
  return kept;
}

/** It has been taken up: coming to the page again later finds nothing. */
export function forgetDropped(): void {
  kept = null;
}
