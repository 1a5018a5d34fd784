import { mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { identify, isAlive } from '../../lib/process-identity.ts';

/** Where a tool is installed before it is whole. Its name says by whom, so that a killed one's can be told. */
export function makeDraft(folder: string): Promise<string> {
  return mkdtemp(join(folder, `draft-${process.pid}-${identify(process.pid)!.startTime}-`));
}

export function isBeingInstalled(draft: string): boolean {
  const match = /^draft-(\d+)-(\d+)-/.exec(basename(draft));
  return match !== null && isAlive({ pid: Number(match[1]), startTime: match[2]! });
}
