import { expect, it } from 'vitest';
import type { StaticAnswer } from '../static/static-answer.ts';
import { readyBytes } from './ready-bytes.ts';

const answerOf = (start: number, end: number, size: number) =>
  ({ head: 'HTTP/1.1 200 OK\r\nX-Name: \u00E9\r\n', body: { start, end, size } }) as unknown as StaticAnswer;
const blobOf = (text: string) => ({ bytes: Buffer.from(text), ready: null });

it('head and body are one piece, and a part of a file is only that part', () => {
  const tail = 'Date: now\r\n\r\n';
  const [whole, part] = [answerOf(0, 5, 5), answerOf(1, 3, 5)];
  expect(readyBytes(blobOf('hello'), whole, tail).toString('latin1')).toBe(`${whole.head}${tail}hello`);
  expect(readyBytes(blobOf('hello'), part, tail).toString('latin1')).toBe(`${part.head}${tail}el`);
});

it('is kept until another answer or another moment is asked for', () => {
  const [blob, answer] = [blobOf('hello'), answerOf(0, 5, 5)];
  const first = readyBytes(blob, answer, 'one');
  expect(readyBytes(blob, answer, 'one')).toBe(first);
  expect(readyBytes(blob, answer, 'two')).not.toBe(first);
});

it('what is kept of a small file holds no memory but its own', () => {
  const { buffer, length } = readyBytes(blobOf('hello'), answerOf(0, 5, 5), 'tail');
  expect(buffer.byteLength).toBe(length);
});
