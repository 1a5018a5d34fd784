import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openS3Subject, type S3Subject } from './testing/s3-subject.ts';
import { startS3Server, type S3Server } from './testing/start-s3-server.ts';
import { openUnreliableS3, type Harm, type UnreliableS3 } from './testing/unreliable-s3.ts';

const KEY = 'blobs/x';
const content = randomBytes(400_000);
const CUT_AT = 100_000;

let server: S3Server;
let between: UnreliableS3;
let subject: S3Subject;
beforeAll(async () => {
  server = await startS3Server();
  between = await openUnreliableS3(server.settings);
  subject = await openS3Subject(between.settings);
});
afterAll(async () => {
  await subject?.[Symbol.asyncDispose]();
  await between?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  between.harm = () => null;
  await subject.objects.put(KEY, content);
});

const read = (range?: { start: number; end: number }) => buffer(subject.objects.read(KEY, range));

/** One harm for each GET in turn; the rest is well. */
function harmReads(...harms: (Harm | null)[]): { asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  between.harm = ({ method, headers }) => {
    if (method !== 'GET') return null;
    asked.push(headers.range);
    return harms.shift() ?? null;
  };
  return { asked };
}

describe('an object that is read from a store that is not to be relied on', () => {
  it('is whole all the same where the connection ends, or an answer ends as if it were whole', async () => {
    const cut = harmReads({ cutAt: CUT_AT }, { cutAt: CUT_AT });
    expect((await read()).equals(content)).toBe(true);
    expect(cut.asked).toEqual([undefined, `bytes=${CUT_AT}-`, `bytes=${2 * CUT_AT}-`]);
    harmReads({ cutAt: CUT_AT, isClean: true, headers: { 'content-length': null } });
    expect((await read()).equals(content)).toBe(true);
    const clean: Harm = { cutAt: 10, isClean: true, headers: { 'content-length': null } };
    harmReads(clean);
    expect((await read({ start: 7, end: 1000 })).equals(content.subarray(7, 1000))).toBe(true);
    harmReads(clean, clean, clean, clean);
    await expect(read()).rejects.toThrow(`answered with 40 of ${content.length} bytes of ${KEY}`);
  });

  it('is not made of two versions, though nobody in between heeds the condition', async () => {
    const total = content.length;
    const headers = { etag: '"other"', 'content-range': `bytes ${CUT_AT}-${total - 1}/${total}` };
    harmReads({ cutAt: CUT_AT }, { status: 206, content: randomBytes(total - CUT_AT), headers });
    const pieces: Buffer[] = [];
    const reading = async () => {
      for await (const piece of subject.objects.read(KEY) as AsyncIterable<Buffer>) pieces.push(piece);
    };
    await expect(reading()).rejects.toThrow(`answered with another ${KEY} than at first`);
    expect(content.subarray(0, CUT_AT).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('is not made of parts that were not asked for', async () => {
    const etag = await etagOf();
    const shifted = (total: number) => ({ etag, 'content-range': `bytes 0-${total - 1}/${total}` });
    harmReads({ cutAt: CUT_AT }, { status: 206, content, headers: shifted(content.length) });
    await expect(read()).rejects.toThrow(`from byte 0 on, where byte ${CUT_AT} was asked for`);
    harmReads({ cutAt: CUT_AT }, { status: 200, content, headers: { etag } });
    await expect(read()).rejects.toThrow(`from byte 0 on, where byte ${CUT_AT} was asked for`);
    const longer = { etag, 'content-range': `bytes ${CUT_AT}-${content.length}/${content.length + 1}` };
    harmReads({ cutAt: CUT_AT }, { status: 206, content: content.subarray(CUT_AT - 1), headers: longer });
    await expect(read()).rejects.toThrow('answered with another');
    harmReads({ cutAt: CUT_AT }, { status: 416 });
    await expect(read()).rejects.toThrow(`nothing of ${KEY} from byte ${CUT_AT} on`);
    harmReads({ status: 200, content, headers: { etag } });
    await expect(read({ start: 0, end: 10 })).rejects.toThrow('more than was asked for');
  });

  it('whose length nobody tells is not taken for whole', async () => {
    between.harm = ({ method }) => (method === 'HEAD' ? { headers: { 'content-length': null } } : null);
    harmReadsToo({ headers: { 'content-length': null } });
    await expect(read()).rejects.toThrow('no length');
  });
});

it('a key that may not look is told so, though HEAD is answered without a word', async () => {
  between.harm = ({ method }) => (method === 'HEAD' ? { status: 403 } : null);
  await expect(subject.objects.stat(KEY)).rejects.toThrow(/does not let us into the bucket.*LILAC_S3_ACCESS_KEY_ID/);
});

function harmReadsToo(harm: Harm): void {
  const before = between.harm;
  between.harm = (request) => before(request) ?? (request.method === 'GET' ? harm : null);
}

async function etagOf(): Promise<string> {
  let etag = '';
  const { harm } = between;
  between.harm = (request) => {
    etag = request.headers['if-match'] ?? etag;
    return request.method === 'GET' && etag === '' ? { cutAt: 1 } : null;
  };
  await read();
  between.harm = harm;
  return etag;
}
