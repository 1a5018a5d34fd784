import { PassThrough } from 'node:stream';
import type { Connection } from 'mysql2';
import { expect, it } from 'vitest';
import { MOST_BYTES } from '../explore/limits.ts';
import { AnswerTooLarge, boundAnswers, MOST_ANSWERS, MOST_COLUMNS } from './answer-bound.ts';

/** What the library has of a connection, as far as it matters here. */
class Inner {
  taken = 0;
  stream = new PassThrough();
  handlePacket(): void {
    this.taken++;
  }
}

function openBound() {
  const inner = new Inner();
  const refusals: AnswerTooLarge[] = [];
  const bound = boundAnswers(inner as unknown as Connection, (refusal) => refusals.push(refusal));
  return { inner, refusals, bound };
}

it('holds what one answer says of its columns, and nothing of those before it', () => {
  const { bound, refusals } = openBound();
  const answers = Array.from({ length: MOST_ANSWERS }, () => ['a', 'b']);
  for (const columns of answers) bound.begins(columns);
  expect(answers.flat()).toEqual(['a', 'b']);
  expect(refusals).toEqual([]);
  bound.begins(undefined);
  expect(refusals).toEqual([expect.any(AnswerTooLarge)]);
});

it('takes in nothing more once there is too much of it, and any number of rows before', () => {
  const { inner, bound, refusals } = openBound();
  for (let count = 0; count < 3 * MOST_COLUMNS; count++) {
    inner.handlePacket();
    bound.row();
  }
  expect(inner.taken).toBe(3 * MOST_COLUMNS);
  for (let count = 0; count < 2 * MOST_COLUMNS; count++) inner.handlePacket();
  expect(inner.taken).toBeLessThan(4.1 * MOST_COLUMNS);
  expect(refusals).toHaveLength(1);
});

it('waits for no row that is too long, and for any number of others', () => {
  const { inner, refusals } = openBound();
  const piece = Buffer.alloc(MOST_BYTES / 32);
  const receive = () => inner.stream.emit('data', piece);
  for (let count = 0; count < 100; count++) {
    receive();
    inner.handlePacket();
  }
  for (let count = 0; count < 32; count++) receive();
  expect(refusals).toEqual([]);
  receive();
  expect(refusals).toHaveLength(1);
  expect(inner.stream.isPaused()).toBe(true);
});

it('leaves the session to the next one when its statement has been answered', () => {
  const { inner, bound, refusals } = openBound();
  bound.ends();
  for (let count = 0; count < 2 * MOST_COLUMNS; count++) inner.handlePacket();
  expect(inner.taken).toBe(2 * MOST_COLUMNS);
  expect(refusals).toEqual([]);
  expect(inner.stream.listenerCount('data')).toBe(0);
});
