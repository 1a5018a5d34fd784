import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { cutLine, LineSplitter } from '../../sandbox/split-lines.ts';
import { filesOf } from './instance-record.ts';

/** What is kept of a stream: between this and twice as much. */
export const KEPT_BYTES = 8 * 1024 ** 2;
/** Read from the end to find the last lines. */
const TAIL_BYTES = 256 * 1024;
/** File systems take some room ahead of what is written; what is beyond that, somebody has reserved. */
const AHEAD_BYTES = KEPT_BYTES;

const oldOf = (path: string): string => `${path}.old`;
const streamsOf = (folder: string): [string, string] => [filesOf(folder).output, filesOf(folder).errors];

/** The program keeps its descriptor, so the file is copied and emptied; it appends, so it goes on at the beginning. */
export function rotateOutput(folder: string, keptBytes = KEPT_BYTES): void {
  for (const path of streamsOf(folder)) {
    if (isTooLarge(path, keptBytes)) rotateUnlessHeld(path, keptBytes);
  }
}

function isTooLarge(path: string, keptBytes: number): boolean {
  const { size = 0, blocks = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return size > keptBytes || blocks * 512 > keptBytes + AHEAD_BYTES;
}

/** Whoever has a lease on the file is to give it up by this, and we come again: waiting for it would stop everything. */
function rotateUnlessHeld(path: string, keptBytes: number): void {
  try {
    rotate(path, keptBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}

function rotate(path: string, keptBytes: number): void {
  const from = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const draft = `${path}.new`;
  const to = openSync(draft, 'w', 0o600);
  try {
    let position = Math.max(0, fstatSync(from).size - keptBytes);
    const buffer = Buffer.alloc(256 * 1024);
    const end = position + 2 * keptBytes;
    // To the end, which may be moving, so that only a moment lies between the last look and the emptying.
    for (let size = 1; size > 0 && position < end; position += size) {
      size = readSync(from, buffer, 0, buffer.length, position);
      writeSync(to, buffer, 0, size);
    }
    renameSync(draft, oldOf(path));
    ftruncateSync(from, 0);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

/**
 * The last lines of both streams. Which of two lines came first nobody noted, so the errors follow the
 * output; they tell more, so they get at least half of the room.
 */
export function tailOutput(folder: string, count: number): string[] {
  const [output, errors] = streamsOf(folder).map((path) => tailStream(path, count)) as [string[], string[]];
  const room = Math.max(Math.ceil(count / 2), count - output.length);
  const chosen = lastOf(errors, room);
  return [...lastOf(output, count - chosen.length), ...chosen];
}

function tailStream(path: string, count: number): string[] {
  const recent = readEnd(path, TAIL_BYTES);
  const bytes =
    recent.length < TAIL_BYTES ? Buffer.concat([readEnd(oldOf(path), TAIL_BYTES - recent.length), recent]) : recent;
  const splitter = new LineSplitter();
  const lines = [...splitter.push(bytes), ...splitter.end()].map(cutLine);
  // The first of many begins in its middle.
  return lastOf(bytes.length >= TAIL_BYTES ? lines.slice(1) : lines, count);
}

const lastOf = <T>(items: readonly T[], count: number): T[] => items.slice(Math.max(0, items.length - count));

function readEnd(path: string, most: number): Buffer {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, most));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, size - buffer.length));
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
