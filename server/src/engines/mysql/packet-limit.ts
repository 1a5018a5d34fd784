import { connectAsPlatform, type Session } from './connect.ts';

const MB = 1024 ** 2;

/** What owners may send at once: no value of theirs is longer. */
export const OWNERS_PACKET_MB = 64;

/**
 * What a dump may hold in one statement, and a load sends. A value doubles at most as text, so two of the longest fit
 * into a row. More than a row of that is refused by the dump, so that everything that was dumped can be loaded.
 */
export const LONGEST_DUMPED_BYTES = 255 * MB;
export const LONGEST_LOADED_BYTES = 256 * MB;
const LOADERS_PACKET_BYTES = 257 * MB;

/**
 * Sessions have the limit that held when they came, and cannot change it. So it is raised for the moment in which the
 * one that loads comes; nobody else is let in while a database is loaded.
 */
export async function connectLarge(home: string, connect: () => Promise<Session>): Promise<Session> {
  await using platform = await connectAsPlatform(home);
  await setLimit(platform, LOADERS_PACKET_BYTES);
  try {
    return await connect();
  } finally {
    await setLimit(platform, OWNERS_PACKET_MB * MB);
  }
}

/** Whoever raised it may have been killed. */
export async function keepPacketLimit(home: string): Promise<void> {
  await using platform = await connectAsPlatform(home);
  await setLimit(platform, OWNERS_PACKET_MB * MB);
}

const setLimit = ({ connection }: Session, bytes: number) =>
  connection.query(`set global max_allowed_packet = ${bytes}`);
