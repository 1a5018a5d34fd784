import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../lib/log.ts';
import { createFakeClock, type FakeClock } from '../../../testing/fake-clock.ts';
import type { ObjectStoreSubject } from '../../conformance.ts';
import { sendPut } from '../../testing/send-put.ts';
import { createLocalObjectStore } from '../local-object-store.ts';
import type { ReceivingStore } from '../../object-store.ts';
import { createObjectServer, type ObjectServerOptions } from '../../server/object-server.ts';
import type { ReadSpace } from '../assert-room.ts';

export interface LocalSubject extends ObjectStoreSubject {
  objects: ReceivingStore;
  root: string;
  socketPath: string;
  clock: FakeClock;
}

const standingOf = () => Promise.resolve('open' as const);

/** A local object store and its server on a real socket. */
export async function openLocalSubject({
  readSpace,
  ...options
}: Partial<Pick<ObjectServerOptions, 'limits' | 'standingOf'>> & {
  readSpace?: ReadSpace;
} = {}): Promise<LocalSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-objects-'));
  const [root, socketPath] = [join(folder, 'objects'), join(folder, 'objects.sock')];
  const signingKey = randomBytes(32);
  const clock = createFakeClock();
  const publicUrl = new URL('http://lilac.test');
  const objects = createLocalObjectStore({ root, signingKey, publicUrl, ...(readSpace && { readSpace }) });
  const server = createObjectServer({ objects, signingKey, clock, log: silentLog, standingOf, ...options });
  await server.listen(socketPath);
  return {
    root,
    socketPath,
    clock,
    objects,
    send: (address, request) => sendPut({ socketPath }, address, request),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
