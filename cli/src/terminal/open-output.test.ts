import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { openOutput } from './open-output.ts';

it('tells once that the reader has gone, and drops the rest without a complaint', async () => {
  let lost = 0;
  const stream = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => done(new Error('EPIPE')) });
  const write = openOutput(stream, () => lost++);
  await write('a line');
  expect(lost).toBe(1);
  expect(write('another')).toBeUndefined();
});
