import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createBodyReader, type BodyLimits } from './read-whole-body.ts';

const MIB = 1024 * 1024;
const piece = Buffer.alloc(MIB, 'x');

function open(limits: Partial<BodyLimits> = {}) {
  const read = createBodyReader({
    maxBytes: 2 * MIB,
    maxBytesAtOnce: 3 * MIB,
    maxBytesOfClient: 3 * MIB,
    patienceMs: 60_000,
    ...limits,
  });
  return (body: Readable, { client = 'somebody', announcedBytes = 0 } = {}) => {
    const reading = read(body, { client, announcedBytes });
    // Each is awaited in its turn.
    reading.catch(() => {});
    return reading;
  };
}

/** A body of which so many pieces have come, and more may. */
function unfinished(pieces: number): PassThrough {
  const body = new PassThrough({ highWaterMark: 4 * MIB });
  for (let n = 0; n < pieces; n++) body.write(piece);
  return body;
}

/** All that was written has been seen. */
const moment = () => new Promise((resolve) => setImmediate(resolve));

const overtaken = { code: 'SV002', options: { retryAfterSeconds: 5 } };

describe('a body that is read whole', () => {
  it('is the bytes as they came', async () => {
    const bytes = [Buffer.from([0, 255, 128]), Buffer.from('ß')];
    expect(await open()(Readable.from(bytes))).toEqual(Buffer.concat(bytes));
    expect(await open()(Readable.from([]))).toEqual(Buffer.alloc(0));
  });

  it('is refused when it is too large, and when it says so; the connection is not torn', async () => {
    const body = unfinished(3);
    await expect(open()(body)).rejects.toMatchObject({ code: 'LM001', message: 'The body is larger than 2 MiB.' });
    expect(body.destroyed).toBe(false);
    const unread = Readable.from([piece]);
    await expect(open()(unread, { announcedBytes: 3 * MIB })).rejects.toMatchObject({ code: 'LM001' });
    expect(unread.readableDidRead).toBe(false);
  });

  it('gives way when others need the memory and it has taken the longest', async () => {
    const read = open();
    const [first, second, third] = [unfinished(2), unfinished(1), unfinished(1)];
    const readings = [read(first), read(second)];
    await moment();
    readings.push(read(third));
    await expect(readings[0]).rejects.toMatchObject(overtaken);
    for (const body of [second, third]) body.end();
    expect(await readings[1]).toHaveLength(MIB);
    expect(await readings[2]).toHaveLength(MIB);
    // What was held is free again.
    const [next, last] = [unfinished(2), unfinished(1)];
    const free = [read(next), read(last)];
    await moment();
    for (const body of [next, last]) body.end();
    expect((await Promise.all(free)).map(({ length }) => length)).toEqual([2 * MIB, MIB]);
  });

  it('gives way to no other client while that one has had its own part', async () => {
    const read = open({ maxBytesOfClient: 2 * MIB });
    const [quiet, flood, more] = [unfinished(1), unfinished(2), unfinished(1)];
    const [staying, going] = [read(quiet), read(flood, { client: 'flood' })];
    await moment();
    const taken = read(more, { client: 'flood' });
    await expect(going).rejects.toMatchObject(overtaken);
    quiet.end();
    more.end();
    expect(await staying).toHaveLength(MIB);
    expect(await taken).toHaveLength(MIB);
  });

  it('is not waited for for ever', async () => {
    const stalled = unfinished(1);
    await expect(open({ patienceMs: 20 })(stalled)).rejects.toMatchObject({
      code: 'VA001',
      message: 'The body took too long to arrive.',
    });
  });

  it('that breaks off is the fault of who sent it', async () => {
    const broken = new PassThrough();
    const reading = open()(broken);
    broken.write('half');
    broken.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject({ code: 'VA001' });
    const gone = new PassThrough();
    const leaving = open()(gone);
    gone.destroy();
    await expect(leaving).rejects.toMatchObject({ code: 'VA001' });
  });
});
