import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createBodyReader } from './read-whole-body.ts';

const MIB = 1024 * 1024;
const piece = Buffer.alloc(MIB, 'x');
const open = () => createBodyReader({ maxBytes: 2 * MIB, maxBytesAtOnce: 3 * MIB });

describe('a body that is read whole', () => {
  it('is the bytes as they came', async () => {
    const bytes = [Buffer.from([0, 255, 128]), Buffer.from('ß')];
    expect(await open()(Readable.from(bytes))).toEqual(Buffer.concat(bytes));
    expect(await open()(Readable.from([]))).toEqual(Buffer.alloc(0));
  });

  it('is refused when it is too large, and when it says so; the connection is not torn', async () => {
    const body = Readable.from([piece, piece, piece]);
    await expect(open()(body)).rejects.toMatchObject({ code: 'LM001', message: 'The body is larger than 2 MiB.' });
    expect(body.destroyed).toBe(false);
    const unread = Readable.from([piece]);
    await expect(open()(unread, 3 * MIB)).rejects.toMatchObject({ code: 'LM001' });
    expect(unread.readableDidRead).toBe(false);
  });

  it('is put off while others fill the memory, and taken when they are through', async () => {
    const read = open();
    const [one, two] = [new PassThrough({ highWaterMark: 4 * MIB }), new PassThrough({ highWaterMark: 4 * MIB })];
    const reading = [read(one), read(two)];
    for (const stream of [one, two]) for (let n = 0; n < 2; n++) stream.write(piece);
    const settled = Promise.allSettled(reading);
    one.end();
    two.end();
    const outcomes = await settled;
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'SV002', options: { retryAfterSeconds: 5 } } }]);
    expect(await read(Readable.from([piece, piece]))).toHaveLength(2 * MIB);
  });

  it('that breaks off is the fault of who sent it', async () => {
    const broken = new PassThrough();
    const reading = open()(broken);
    broken.write('half');
    broken.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject({ code: 'VA001' });
  });
});
