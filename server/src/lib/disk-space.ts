import { statfs } from 'node:fs/promises';

export interface Space {
  freeBytes: number;
  totalBytes: number;
}

/** What others need to go on, the store above all: the lesser of the two. */
const RESERVE = { share: 0.05, bytes: 1024 ** 3 };

/** What is to stay free on a file system, whoever writes to it for people. */
export const reserveOf = ({ totalBytes }: Space): number => Math.min(totalBytes * RESERVE.share, RESERVE.bytes);

/** Of the file system on which a folder is. */
export async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
