import { connectAsPlatform, type Session } from './connect.ts';

const MB = 1024 ** 2;

/** A server takes about five times the length of a statement while it runs it, beside its buffers; more than it has ends it. */
const PART_OF_MEMORY = 0.11;
const LONGEST_DUMPED_MB = 255;
const LONGEST_OF_OWNERS_MB = 64;

/**
 * What a dump may hold in one statement, which is a row where it is large: what this server can load again. A row that
 * is longer is refused by the dump, so that everything that was dumped can be loaded.
 */
export const longestDumpedMb = (memoryMb: number): number =>
  Math.min(LONGEST_DUMPED_MB, Math.floor(memoryMb * PART_OF_MEMORY));

/** What a load takes: a little more, since it reads in larger pieces. */
export const longestLoadedMb = (memoryMb: number): number => longestDumpedMb(memoryMb) + 1;

/** What owners may send at once: no value of theirs is longer, and as text it has twice its length at most. */
export const ownersPacketMb = (memoryMb: number): number =>
  Math.min(LONGEST_OF_OWNERS_MB, Math.floor((longestDumpedMb(memoryMb) - 1) / 2));

/**
 * Sessions have the limit that held when they came, and cannot change it. So it is raised for the moment in which the
 * one that loads comes; nobody else is let in while a database is loaded.
 */
export async function connectLarge(home: string, memoryMb: number, connect: () => Promise<Session>): Promise<Session> {
  await using platform = await connectAsPlatform(home);
  await setLimit(platform, (longestLoadedMb(memoryMb) + 1) * MB);
  try {
    return await connect();
  } finally {
    await setLimit(platform, ownersPacketMb(memoryMb) * MB);
  }
}

/** Whoever raised it may have been killed. */
export async function keepPacketLimit(home: string, memoryMb: number): Promise<void> {
  await using platform = await connectAsPlatform(home);
  await setLimit(platform, ownersPacketMb(memoryMb) * MB);
}

const setLimit = ({ connection }: Session, bytes: number) =>
  connection.query(`set global max_allowed_packet = ${bytes}`);
