import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { TaskSecret } from './agreement.ts';

/** An engine takes less than 500 KiB. */
export const MAX_SECRET_BYTES = 500 * 1024 - 1;

/**
 * As the engine keeps it. Variables may have 512 KiB, and more as JSON: text has less in it than its bytes could hold,
 * and fits when it is compressed. A task is given the reader that was packed with its secret: both are of one version.
 */
export const packSecret = (secret: TaskSecret): Promise<Buffer> => promisify(gzip)(JSON.stringify(secret));

export const unpackSecret = (bytes: Buffer): TaskSecret => JSON.parse(gunzipSync(bytes).toString()) as TaskSecret;
