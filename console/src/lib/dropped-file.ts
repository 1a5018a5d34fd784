import { forgetWithPerson } from './person-memory.ts';
import type { ZipEntry } from './zip-files/zip-files.ts';

/** What somebody wants to deploy from their computer: an archive as it is, or files that are still to be packed. */
export type Dropped = { name: string } & ({ archive: Blob } | { files: ZipEntry[] });

let kept: Dropped | null = null;
forgetWithPerson(forgetDropped);

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
