import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeZip } from '../../source/archive/testing/make-zip.ts';
import { consumeUpload } from './consume-upload.ts';
import { sweepUploads } from './sweep-uploads.ts';
import { openUploadBench, type UploadBench } from './testing/upload-bench.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let bench: UploadBench;
beforeAll(async () => {
  bench = await openUploadBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const site = makeZip([
  { name: 'index.html', content: '<h1>Hello</h1>' },
  { name: 'style.css', content: 'h1 {}' },
]);
const inFolder = makeZip([{ name: 'my-site/index.html', content: '<h1>Hello</h1>' }]);

async function uploaded(bytes = site) {
  const reservation = await bench.request();
  expect((await bench.put(reservation.signedUrl, bytes)).status).toBe(200);
  return reservation;
}
async function ready() {
  const { uploadId, storagePath } = await uploaded();
  await bench.complete(uploadId);
  return { uploadId, storagePath };
}
const consume = (uploadId: string, organisationId = bench.organisationId) =>
  bench.store.db.transaction().execute((tx) => consumeUpload(tx, { uploadId, organisationId }));
const isThere = async (key: string) => (await bench.subject.objects.stat(key)) !== null;
const code = (wanted: string) => expect.objectContaining({ code: wanted, message: expect.any(String) });

describe('upload/request-url', () => {
  it('answers an address of the platform that is good for a quarter of an hour', async () => {
    const now = bench.subject.clock.now().getTime();
    const reservation = await bench.request({ contentType: 'application/x-zip-compressed' });
    expect(reservation).toEqual({
      uploadId: expect.stringMatching(/^upl_/),
      storagePath: `uploads/${bench.organisationId}/${reservation.uploadId}.zip`,
      signedUrl: expect.stringContaining(`http://lilac.test/objects/${reservation.storagePath}?`),
      expiresAt: new Date(now + 15 * MINUTE_MS).toISOString(),
      maxSize: 1_000_000,
    });
    expect((await bench.put(reservation.signedUrl, site)).status).toBe(403);
    expect((await bench.put(reservation.signedUrl, site, 'application/x-zip-compressed')).status).toBe(200);
  });

  it('413 LM002 for a file that says it is too large, and an address of exactly the size that was said', async () => {
    await expect(bench.request({ fileSize: 1_000_001 })).rejects.toEqual(code('LM002'));
    const { signedUrl } = await bench.request({ fileSize: site.length });
    expect((await bench.put(signedUrl, site.subarray(1))).status).toBe(400);
    expect((await bench.put(signedUrl, Buffer.concat([site, site]))).status).toBe(413);
    expect((await bench.put(signedUrl, site)).status).toBe(200);
  });
});

describe('upload/complete', () => {
  it('makes the archive ready, tells what it is, and says the same when called again', async () => {
    const { uploadId } = await uploaded();
    const completed = await bench.complete(uploadId);
    const detected = {
      framework: null,
      runtime: null,
      deploymentType: 'static',
      buildCommand: null,
      outputDirectory: '',
      installCommand: null,
      startCommand: null,
      packageManager: null,
    };
    expect(completed).toEqual({ uploadId, status: 'ready', size: site.length, detected });
    const { completed_at: completedAt } = await bench.row(uploadId);
    bench.subject.clock.advance(1000);
    expect(await bench.complete(uploadId)).toEqual(completed);
    expect((await bench.row(uploadId)).completed_at).toEqual(completedAt);
  });

  it('keeps what the caller says of it', async () => {
    const { uploadId } = await uploaded();
    const completed = await bench.complete(uploadId, {
      detectedFramework: 'vite',
      detectedDeploymentType: 'static',
      detectedBuildCommand: 'make site',
      detectedOutputDirectory: 'out',
    });
    const said = { framework: 'vite', deploymentType: 'static', buildCommand: 'make site', outputDirectory: 'out' };
    expect(completed.detected).toMatchObject(said);
    expect((await bench.row(uploadId)).detected).toMatchObject(said);
  });

  it('is ready even if nothing in it is recognised: who deploys it may still say how', async () => {
    const { uploadId } = await uploaded(
      makeZip([
        { name: 'notes', content: 'x' },
        { name: 'more', content: 'y' },
      ]),
    );
    expect(await bench.complete(uploadId)).toMatchObject({ status: 'ready', detected: null });
  });

  it('409 CF001 that says to PUT first when nothing came, and works after it', async () => {
    const { uploadId, signedUrl } = await bench.request();
    await expect(bench.complete(uploadId)).rejects.toMatchObject({
      code: 'CF001',
      message: expect.stringMatching(/PUT/),
    });
    await bench.put(signedUrl, site);
    expect((await bench.complete(uploadId)).status).toBe('ready');
  });

  it('400 AR001 for an archive that cannot be used, after which a mended one is taken at the same address', async () => {
    const { uploadId, signedUrl, storagePath } = await uploaded(inFolder);
    const refusal = { code: 'AR001', message: expect.stringMatching(/"my-site"/) };
    await expect(bench.complete(uploadId)).rejects.toMatchObject(refusal);
    expect(await isThere(storagePath)).toBe(false);
    expect((await bench.row(uploadId)).status).toBe('reserved');
    expect((await bench.put(signedUrl, site)).status).toBe(200);
    expect((await bench.complete(uploadId)).status).toBe('ready');
  });

  it('refuses the archive with hints too: they say what it is, not that it is safe', async () => {
    const { uploadId } = await uploaded(inFolder);
    await expect(bench.complete(uploadId, { detectedFramework: 'vite' })).rejects.toEqual(code('AR001'));
  });

  it('takes what came in time for another hour, and 409 CF001 after that', async () => {
    const [early, late] = [await uploaded(), await uploaded()];
    bench.subject.clock.advance(60 * MINUTE_MS);
    expect((await bench.complete(early.uploadId)).status).toBe('ready');
    bench.subject.clock.advance(60 * MINUTE_MS);
    await expect(bench.complete(late.uploadId)).rejects.toEqual(code('CF001'));
  });

  it('answers all of many calls at the same moment the same', async () => {
    const { uploadId } = await uploaded();
    const answers = await Promise.all(Array.from({ length: 5 }, () => bench.complete(uploadId)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('leaves no way to exchange the archive that was looked at', async () => {
    const { uploadId, signedUrl, storagePath } = await uploaded();
    await bench.complete(uploadId);
    expect((await bench.put(signedUrl, inFolder)).status).toBe(409);
    await consume(uploadId);
    expect((await bench.put(signedUrl, inFolder)).status).toBe(409);
    expect(await bench.subject.objects.stat(storagePath)).toEqual({ size: site.length });
    await bench.subject.objects.remove(storagePath);
    expect((await bench.put(signedUrl, inFolder)).status).toBe(409);
  });
});

describe('using an upload', () => {
  it('gives it to one of many deployments at the same moment, and tells the others', async () => {
    const { uploadId } = await ready();
    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => consume(uploadId)));
    expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1);
    const refusals = ends.filter((end) => end.status === 'rejected').map((end): unknown => end.reason);
    expect(refusals).toEqual(Array.from({ length: 4 }, () => code('CF001')));
    expect(await bench.complete(uploadId)).toMatchObject({ status: 'consumed', size: site.length });
  });

  it('leaves it ready when the transaction that wanted it fails', async () => {
    const { uploadId } = await ready();
    const failing = bench.store.db.transaction().execute(async (tx) => {
      await consumeUpload(tx, { uploadId, organisationId: bench.organisationId });
      throw new Error('no application after all');
    });
    await expect(failing).rejects.toThrow('no application');
    expect((await consume(uploadId)).status).toBe('consumed');
  });

  it('404 for another organisation, 409 before it is complete', async () => {
    const { uploadId } = await ready();
    await expect(consume(uploadId, await bench.newOrganisation())).rejects.toEqual(code('NF001'));
    const reserved = await bench.request();
    const refusal = { code: 'CF001', message: expect.stringMatching(/upload\/complete/) };
    await expect(consume(reserved.uploadId)).rejects.toMatchObject(refusal);
  });
});

describe('upload/cleanup', () => {
  it('discards what is reserved, with the archives that came, and nothing that is ready', async () => {
    await bench.cleanup();
    const [withBytes, kept] = [await uploaded(), await ready()];
    await bench.request();
    expect(await bench.cleanup()).toBe(2);
    expect(await bench.cleanup()).toBe(0);
    expect(await isThere(withBytes.storagePath)).toBe(false);
    expect(await isThere(kept.storagePath)).toBe(true);
    expect((await bench.row(kept.uploadId)).status).toBe('ready');
  });

  it('ends the addresses too: 403 CA011 for an archive that comes afterwards, also where one had come before', async () => {
    for (const { signedUrl, storagePath } of [await bench.request(), await uploaded()]) {
      await bench.cleanup();
      const refused = await bench.put(signedUrl, site);
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([403, { code: 'CA011' }]);
      expect(JSON.parse(refused.body)).toMatchObject({ message: expect.stringMatching(/upload\/request-url/) });
      expect(await isThere(storagePath)).toBe(false);
    }
  });
});

describe('the sweep', () => {
  it('keeps what may be wanted, ends what nobody finished, and forgets it later', async () => {
    const [reserved, unused, consumed] = [await uploaded(), await ready(), await ready()];
    await consume(consumed.uploadId);
    await sweepUploads(bench.deps);
    for (const { storagePath } of [reserved, unused, consumed]) expect(await isThere(storagePath)).toBe(true);

    bench.subject.clock.advance(76 * MINUTE_MS);
    await sweepUploads(bench.deps);
    expect((await bench.row(reserved.uploadId)).status).toBe('expired');
    await expect(bench.complete(reserved.uploadId)).rejects.toEqual(code('CF001'));
    expect(await isThere(reserved.storagePath)).toBe(false);
    expect(await isThere(unused.storagePath)).toBe(true);

    bench.subject.clock.advance(DAY_MS);
    await sweepUploads(bench.deps);
    expect((await bench.row(unused.uploadId)).status).toBe('expired');
    await expect(consume(unused.uploadId)).rejects.toEqual(code('CF001'));
    expect(await isThere(unused.storagePath)).toBe(false);
    expect(await isThere(consumed.storagePath)).toBe(true);

    bench.subject.clock.advance(2 * DAY_MS);
    await sweepUploads(bench.deps);
    for (const { uploadId } of [reserved, unused, consumed]) expect(await bench.row(uploadId)).toBeNull();
    expect(await isThere(consumed.storagePath)).toBe(false);
  });

  it('removes every archive that nothing was made of a day after it was completed, and at once what has no row any more', async () => {
    const refused = await Promise.all(Array.from({ length: 14 }, ready));
    const left = async () =>
      (await Promise.all(refused.map(({ storagePath }) => isThere(storagePath)))).filter(Boolean);
    bench.subject.clock.advance(DAY_MS - MINUTE_MS);
    await sweepUploads(bench.deps);
    expect(await left()).toHaveLength(14);
    const gone = refused.slice(7).map(({ uploadId }) => uploadId);
    await bench.store.db.deleteFrom('uploads').where('id', 'in', gone).execute();
    await sweepUploads(bench.deps);
    expect(await left()).toHaveLength(7);
    bench.subject.clock.advance(2 * MINUTE_MS);
    expect(await sweepUploads(bench.deps)).toMatchObject({ expired: 7, removed: 7 });
    expect(await left()).toHaveLength(0);
  });
});
