import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import type { ObjectStoreSubject } from '../../conformance.ts';
import type { ReceivingStore } from '../../object-store.ts';
import { createObjectServer } from '../../server/object-server.ts';
import { sendPut } from '../../testing/send-put.ts';
import { createS3ObjectStore } from '../s3-object-store.ts';

export interface S3Subject extends ObjectStoreSubject {
  objects: ReceivingStore;
}

const PUBLIC_URL = new URL('http://lilac.test');

const standingOf = () => Promise.resolve('open' as const);

/** Objects in a bucket, and the platform's own object server for those addresses that S3 cannot sign. */
export async function openS3Subject(settings: S3Settings): Promise<S3Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-objects-'));
  const socketPath = join(folder, 'objects.sock');
  const signingKey = randomBytes(32);
  // It stands still, but at the hour of the store, which has a clock of its own.
  const clock = createFakeClock(new Date());
  const objects = createS3ObjectStore({ settings, signingKey, publicUrl: PUBLIC_URL, clock, pageKeys: 2 });
  const server = createObjectServer({ objects, signingKey, clock, log: silentLog, standingOf });
  await server.listen(socketPath);
  return {
    clock,
    objects,
    send: (address, request) => {
      const { host, port } = settings.endpoint!;
      return address.startsWith(PUBLIC_URL.origin)
        ? sendPut({ socketPath }, address, request)
        : sendPut({ host: host.split(':')[0]!, port }, address, request);
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
