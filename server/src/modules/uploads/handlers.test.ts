import { request as startRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathsOf } from '../../config.ts';
import { createLocalObjectStore } from '../../objects/local/local-object-store.ts';
import { createObjectServer, type ObjectServer } from '../../objects/server/object-server.ts';
import { platformSecret } from '../../secrets/platform-secrets-store.ts';
import { makeZip } from '../../source/archive/testing/make-zip.ts';
import { createApiKey, createOwner, createUpload, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { standingOf } from './upload-store.ts';

let api: TestApi;
let owner: TestOwner;
let objectServer: ObjectServer;
let socketPath: string;
beforeAll(async () => {
  api = await startApi();
  owner = await createOwner(api);
  const signingKey = await platformSecret(api, 'object-signing');
  objectServer = createObjectServer({
    ...api,
    objects: createLocalObjectStore({ ...api.config, root: pathsOf(api.config).objects, signingKey }),
    signingKey,
    standingOf: (key) => standingOf(api.store.db, key),
  });
  socketPath = `${api.config.home}/objects.sock`;
  await objectServer.listen(socketPath);
});
afterAll(async () => {
  await objectServer.close();
  await api[Symbol.asyncDispose]();
});

const call = (path: string, body: object = {}) =>
  api.call(path, { token: owner.token, body: { targetOrganisationId: owner.organisationId, ...body } });

const put = (address: string, body: Buffer) =>
  new Promise<number>((resolve, reject) => {
    const { pathname, search } = new URL(address);
    const headers = { 'content-type': 'application/zip' };
    startRequest({ socketPath, path: pathname + search, method: 'PUT', headers, agent: false })
      .once('response', (answer: IncomingMessage) => resolve(answer.resume().statusCode ?? 0))
      .once('error', reject)
      .end(body);
  });

describe('the way of an upload', () => {
  it('200 from the reservation to an archive that is ready', async () => {
    const reserved = await call('/api/upload/request-url');
    expect(reserved).toMatchObject({ status: 200, body: { maxSize: 104_857_600 } });
    const { uploadId, signedUrl } = reserved.body;
    const early = await call('/api/upload/complete', { uploadId });
    expect(early).toMatchObject({ status: 409, body: { code: 'CF001' } });
    const archive = makeZip([
      { name: 'index.html', content: '<h1>Hello</h1>' },
      { name: 'about.html', content: '<h1>About</h1>' },
    ]);
    expect(await put(signedUrl, archive)).toBe(200);
    const completed = await call('/api/upload/complete', { uploadId });
    expect(completed).toMatchObject({ status: 200, body: { uploadId, status: 'ready', size: archive.length } });
  });

  it('400 AR001 for an archive with a folder around it, 413 LM002 for one that says it is too large', async () => {
    const { uploadId, signedUrl } = (await call('/api/upload/request-url')).body;
    await put(signedUrl, makeZip([{ name: 'site/index.html', content: 'x' }]));
    const refused = await call('/api/upload/complete', { uploadId });
    expect(refused).toMatchObject({ status: 400, body: { code: 'AR001', message: expect.stringMatching(/"site"/) } });
    const tooLarge = await call('/api/upload/request-url', { fileSize: 104_857_601 });
    expect(tooLarge).toMatchObject({ status: 413, body: { code: 'LM002' } });
  });

  it('400 VA001 for a hint at a framework that nobody knows', async () => {
    const { uploadId } = (await call('/api/upload/request-url')).body;
    const refused = await call('/api/upload/complete', { uploadId, detectedFramework: 'nextjss' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toMatch(/^detectedFramework "nextjss"/);
  });

  it('409 CF001 for more than twenty that are open, however many ask at once, until some are discarded or over', async () => {
    const busy = await createOwner(api);
    const ask = (path: string) =>
      api.call(path, { token: busy.token, body: { targetOrganisationId: busy.organisationId } });
    const answers = await Promise.all(Array.from({ length: 25 }, () => ask('/api/upload/request-url')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(refused!.body.message).toMatch(/upload\/cleanup/);
    expect((await call('/api/upload/request-url')).status).toBe(200);
    expect((await ask('/api/upload/cleanup')).body).toEqual({ removed: 20 });
    expect((await ask('/api/upload/request-url')).status).toBe(200);
    for (let one = 0; one < 19; one++) await ask('/api/upload/request-url');
    expect((await ask('/api/upload/request-url')).status).toBe(409);
    await api.store.db
      .updateTable('uploads')
      .set({ expires_at: new Date(api.clock.now().getTime() - 2 * 60 * 60 * 1000) })
      .where('organisation_id', '=', busy.organisationId)
      .execute();
    expect((await ask('/api/upload/request-url')).status).toBe(200);
  });

  it('409 CF001 for more than fifty that wait, most of them complete, until one is used', async () => {
    const busy = await createOwner(api);
    const ask = () =>
      api.call('/api/upload/request-url', { token: busy.token, body: { targetOrganisationId: busy.organisationId } });
    const ready = await Promise.all(Array.from({ length: 45 }, () => createUpload(api, { ...busy, status: 'ready' })));
    await api.store.db
      .updateTable('uploads')
      .set({ completed_at: api.clock.now() })
      .where('organisation_id', '=', busy.organisationId)
      .execute();
    for (let one = 0; one < 5; one++) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(refused.body.message).toMatch(/50 uploads .*upload\/cleanup.* the first at 20/);
    await api.store.db.updateTable('uploads').set({ status: 'consumed' }).where('id', '=', ready[0]!.id).execute();
    expect((await ask()).status).toBe(200);
  });

  it('cleanup of one upload leaves the others of the organisation alone', async () => {
    await call('/api/upload/cleanup');
    const mine = (await call('/api/upload/request-url')).body;
    const theirs = (await call('/api/upload/request-url')).body;
    expect((await call('/api/upload/cleanup', { uploadId: mine.uploadId })).body).toEqual({ removed: 1 });
    const archive = makeZip([{ name: 'index.html', content: '<h1>Hello</h1>' }]);
    expect(await put(mine.signedUrl, archive)).toBe(403);
    expect(await put(theirs.signedUrl, archive)).toBe(200);
  });

  it("404 for another organisation's upload; cleanup counts the caller's own", async () => {
    await call('/api/upload/cleanup');
    const { uploadId } = (await call('/api/upload/request-url')).body;
    const { secret } = await createApiKey(api, await createOwner(api));
    const foreign = await api.call('/api/upload/complete', { token: secret, body: { uploadId } });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect((await api.call('/api/upload/cleanup', { token: secret, body: {} })).body).toEqual({ removed: 0 });
    expect((await call('/api/upload/cleanup')).body).toEqual({ removed: 1 });
  });
});
