import { readFileSync } from 'node:fs';
import { cutLine, LineSplitter } from '../../sandbox/split-lines.ts';
import { oldOf } from './free-space.ts';
import { outputFilesOf, type StreamName } from './output-files.ts';
import { outputBounds, type OutputStream } from './output-stream.ts';

/**
 * The last lines of both streams. Which of two lines came first nobody noted, so the errors follow the
 * output; they tell more, so they get at least half of the room.
 */
export function tailStreams(
  folder: string,
  { stdout, stderr }: Record<StreamName, Pick<OutputStream, 'readEnd'>>,
  count: number,
): string[] {
  const files = outputFilesOf(folder);
  const output = tailStream(files.stdout, stdout.readEnd(), count);
  const errors = tailStream(files.stderr, stderr.readEnd(), count);
  const room = Math.max(Math.ceil(count / 2), count - output.length);
  const chosen = lastOf(errors, room);
  return [...lastOf(output, count - chosen.length), ...chosen];
}

function tailStream(path: string, recent: Buffer, count: number): string[] {
  const bytes = recent.length < outputBounds.tailBytes ? Buffer.concat([readIfThere(oldOf(path)), recent]) : recent;
  const splitter = new LineSplitter();
  const lines = [...splitter.push(withoutHoles(bytes)), ...splitter.end()].map(cutLine);
  // The first of many begins in its middle.
  return lastOf(bytes.length >= outputBounds.tailBytes ? lines.slice(1) : lines, count);
}

/** Programs can make holes themselves. */
const withoutHoles = (bytes: Buffer): Buffer =>
  bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;

const lastOf = <T>(items: readonly T[], count: number): T[] => items.slice(Math.max(0, items.length - count));

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
