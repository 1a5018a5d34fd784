import { readFileSync } from 'node:fs';

/** What the edge opens besides: connections to the api, to the object store and to the store, and logs. */
const RESERVED_FILES = 1280;
/** A connection may have a file open, or one to the api. */
const FILES_PER_CONNECTION = 2;
/** Beyond this it is memory that ends. */
const MOST_CONNECTIONS = 50_000;

/** How many connections an edge takes, so that there is always a descriptor left for what they ask for. */
export function connectionLimit(openFilesLimit = readOpenFilesLimit()): number {
  const reserved = Math.min(RESERVED_FILES, openFilesLimit / 2);
  return Math.min(MOST_CONNECTIONS, Math.floor((openFilesLimit - reserved) / FILES_PER_CONNECTION));
}

/** The soft limit, which Node raises to the hard one when it starts. */
function readOpenFilesLimit(): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}
