import { reserveOf, spaceOf, type Space } from '../../lib/disk-space.ts';
import { Fault } from '../../lib/fault.ts';
import { makeIncoming } from './incoming.ts';

export type ReadSpace = (folder: string) => Promise<Space>;

/** Refuses what would leave too little for others on the disk: the platform would stand still with it. */
export async function assertRoom(root: string, bytes: number, readSpace: ReadSpace = spaceOf): Promise<void> {
  await makeIncoming(root);
  const space = await readSpace(root);
  const reserve = reserveOf(space);
  if (space.freeBytes - bytes >= reserve) return;
  throw new Fault(
    'SV002',
    `The disk of the platform would have less than ${Math.round(reserve / 1024 ** 2)} MiB left, so that it takes no ` +
      'such file now. Try again later; the operator has to make room.',
    { detail: { ...space, wantedBytes: bytes } },
  );
}
