import type { UploadRow } from '../../db/schema.ts';
import { conflict, type Fault } from '../../lib/fault.ts';

const MINUTE_MS = 60 * 1000;

/** How long an address takes the archive. */
export const ADDRESS_LIFE_MS = 15 * MINUTE_MS;

/**
 * How long after that an archive may still be completed that came in time: a large one, begun in the
 * last minute, may well take that long.
 */
export const COMPLETION_GRACE_MS = 60 * MINUTE_MS;

/** How many an organisation may have reserved and not completed: each may hold an archive that nobody looks at. */
export const MAX_OPEN = 20;

/** How many it may have in all that wait to be completed or used. */
export const MAX_WAITING = 50;

/** How long an archive waits to be used, and how long what is over is remembered. */
export const KEPT_MS = 24 * 60 * MINUTE_MS;

/** Files that are imported into a database, not deployed. */
const dumpTypes = ['application/sql', 'application/gzip', 'application/x-gzip'];

export const isDump = (contentType: string): boolean => dumpTypes.includes(contentType);

/** Where the file of an upload lies. */
export const storagePathOf = (organisationId: string, uploadId: string, contentType: string): string =>
  `${UPLOADS_PREFIX}${organisationId}/${uploadId}.${isDump(contentType) ? 'sql' : 'zip'}`;

export const UPLOADS_PREFIX = 'uploads/';

/** Why an upload cannot be deployed now, and what to do. */
export function whyNotReady({ status }: Pick<UploadRow, 'status'>): Fault {
  if (status === 'consumed') {
    return conflict('This upload was deployed already. Upload the archive again to deploy it once more or elsewhere.');
  }
  if (status === 'expired') return hasExpired();
  return conflict('This upload is not complete. PUT the archive to its signedUrl, then call upload/complete.');
}

export const hasExpired = (): Fault =>
  conflict('This upload has expired, and its archive is gone. Call upload/request-url for a new one.');
