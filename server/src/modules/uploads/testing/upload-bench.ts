import { readConfig } from '../../../config.ts';
import type { BodyOf, OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { UploadRow } from '../../../db/schema.ts';
import { newId } from '../../../lib/ids.ts';
import { openLocalSubject, type LocalSubject } from '../../../objects/local/testing/local-subject.ts';
import { createTestStore, type TestStore } from '../../../testing/test-store.ts';
import { uploadHandlers } from '../handlers.ts';
import { findUpload, standingOf } from '../upload-store.ts';
import type { UploadsDeps } from '../uploads-deps.ts';

type HandlerContext = Parameters<ReturnType<typeof uploadHandlers>['upload.request-url']>[0];
export type Hints = Partial<BodyOf<Endpoints['upload.complete']>>;

export interface UploadBench extends AsyncDisposable {
  store: TestStore;
  subject: LocalSubject;
  deps: UploadsDeps;
  organisationId: string;
  newOrganisation(): Promise<string>;
  request(body?: object): ReturnType<ReturnType<typeof uploadHandlers>['upload.request-url']>;
  put(signedUrl: string, bytes: Buffer, contentType?: string): Promise<{ status: number; body: string }>;
  complete(uploadId: string, hints?: Hints): Promise<OutputOf<Endpoints['upload.complete']>>;
  cleanup(): Promise<number>;
  row(uploadId: string): Promise<UploadRow>;
}

/** Uploads on a real store and a real object server, called as admission would call them. */
export async function openUploadBench(): Promise<UploadBench> {
  const store = await createTestStore();
  const subject = await openLocalSubject({ standingOf: (key) => standingOf(store.db, key) });
  const { databases } = readConfig({});
  const config = { uploadMaxBytes: 1_000_000, databases };
  const deps = { store, objects: subject.objects, config, clock: subject.clock };
  const handlers = uploadHandlers(deps);
  const newOrganisation = async () => {
    const id = newId('org');
    await store.db.insertInto('organisations').values({ id, name: id, slug: id, plan: 'pro' }).execute();
    return id;
  };
  const organisationId = await newOrganisation();
  const row = async (id: string) => (await findUpload(store.db, id))!;
  const contextOf = (more: object) => ({ organisation: { id: organisationId }, ...more }) as never as HandlerContext;
  return {
    store,
    subject,
    deps,
    organisationId,
    newOrganisation,
    row,
    request: (body = {}) => {
      const defaults = { fileName: 'source.zip', contentType: 'application/zip' };
      return handlers['upload.request-url'](contextOf({ body: { ...defaults, ...body } }));
    },
    put: (signedUrl, bytes, contentType = 'application/zip') =>
      subject.send(signedUrl, { method: 'PUT', headers: { 'content-type': contentType }, body: bytes }),
    complete: async (uploadId, hints = {}) =>
      handlers['upload.complete'](contextOf({ body: { uploadId, ...hints }, resource: await row(uploadId) }) as never),
    cleanup: async () => (await handlers['upload.cleanup'](contextOf({ body: {} }) as never)).removed,
    async [Symbol.asyncDispose]() {
      await subject[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
