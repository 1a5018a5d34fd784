import type { Config } from '../../config.ts';
import type { UploadRow } from '../../db/schema.ts';
import { conflict, type Fault } from '../../lib/fault.ts';
import { isDump, KEPT_MS, MAX_OPEN, MAX_WAITING } from './upload.ts';

const GIBIBYTE = 1024 ** 3;

/** What the archives of an organisation may take together while they wait; at least two of the largest. */
const ARCHIVES_BYTES = 5 * GIBIBYTE;

/**
 * One that can still be completed, or is ready and not used, or (`expired`) was discarded while its address is good.
 */
export interface Waiting extends Wanted, Pick<UploadRow, 'status' | 'completed_at'> {
  size: number | null;
}
export interface Wanted {
  content_type: string;
  announced_size: number | null;
}
type Limits = Pick<Config, 'uploadMaxBytes' | 'databases'>;

/**
 * Why an organisation that has these waiting gets no further upload now; null when it does. Dumps are far larger than
 * archives, and have a room of their own, lest a few of them keep anybody from deploying.
 */
export function lackOfRoom(waiting: readonly Waiting[], wanted: Wanted, limits: Limits): Fault | null {
  if (waiting.filter(({ status }) => status === 'reserved').length >= MAX_OPEN) return tooManyOpen();
  const whatToDo = () => howToMakeRoom(waiting);
  if (waiting.filter(({ status }) => status !== 'expired').length >= MAX_WAITING) {
    return conflict(
      `The organisation has ${MAX_WAITING} uploads waiting, which is the most it may have. ${whatToDo()}`,
    );
  }
  const isSameKind = ({ content_type: type }: Wanted) => isDump(type) === isDump(wanted.content_type);
  const taken = waiting.filter(isSameKind).reduce((sum, upload) => sum + bytesOf(upload, limits), 0);
  const roomBytes = roomFor(wanted, limits);
  if (taken + bytesOf({ ...wanted, size: null }, limits) <= roomBytes) return null;
  const hint =
    wanted.announced_size === null ? 'Send its fileSize; without it the largest possible size is counted. ' : '';
  return conflict(
    `The waiting uploads of the organisation take ${taken} bytes; with this one they would take more than ` +
      `${roomBytes}. ${hint}${whatToDo()}`,
  );
}

export const maxSizeOf = (contentType: string, { uploadMaxBytes, databases }: Limits): number =>
  isDump(contentType) ? databases.importMaxBytes : uploadMaxBytes;

const roomFor = ({ content_type: type }: Wanted, limits: Limits): number =>
  Math.max(isDump(type) ? 0 : ARCHIVES_BYTES, 2 * maxSizeOf(type, limits));

/** What came; before that, what was said; where nothing was, the most that its address takes. */
function bytesOf(upload: Wanted & Pick<Waiting, 'size'>, limits: Limits): number {
  return upload.size ?? upload.announced_size ?? maxSizeOf(upload.content_type, limits);
}

const tooManyOpen = () =>
  conflict(
    `The organisation has ${MAX_OPEN} uploads that were reserved and not completed, and may not have more. ` +
      'Complete them (upload/complete), or discard them all (upload/cleanup).',
  );

function howToMakeRoom(waiting: readonly Waiting[]): string {
  const ready = waiting.flatMap(({ status, completed_at: at }) => (status === 'ready' && at ? [at.getTime()] : []));
  const discard = waiting.some(({ status }) => status === 'expired')
    ? 'A discarded upload counts until its address expires, 15 minutes at most'
    : 'Discard those that are not complete (upload/cleanup)';
  if (ready.length === 0) return `${discard}.`;
  const until = new Date(Math.min(...ready) + KEPT_MS).toISOString();
  return `${discard}. Deploy or import the complete ones; an unused upload is removed after a day, the first at ${until}.`;
}
