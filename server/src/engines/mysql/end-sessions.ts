import { setTimeout as delay } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { EngineRefused } from '../engine.ts';
import { connectAsPlatform, type Session } from './connect.ts';

export interface Attendant {
  user: string;
  /** An address without its port, or `localhost` for the socket. */
  host: string;
}

interface Listed extends RowDataPacket {
  id: number;
  user: string;
  host: string;
  command: string;
}

const ENTERING = 'unauthenticated user';
/** Ends at its next step, and can do nothing more till then. */
const KILLED = 'Killed';
/** What it had begun is being taken back. */
const GONE_MS = 3000;
const KILLED_MS = 30_000;
const NO_SUCH_SESSION = 1094;

/**
 * Ends the sessions that are meant, of those that were there or about to be when this began: whoever is still proving
 * who he is might be let in by what held before. The numbers of sessions only grow.
 */
export async function endSessions(home: string, isMeant: (attendant: Attendant) => boolean): Promise<void> {
  await using session = await connectAsPlatform(home);
  const [[own]] = await session.connection.query<RowDataPacket[]>('select connection_id() as id');
  const latest = Number(own?.['id']);
  const begun = Date.now();
  for (;;) {
    const sessions = (await list(session, latest)).filter((each) => each.user === ENTERING || isMeant(each));
    if (sessions.length === 0) return;
    const isKilled = sessions.every(({ command }) => command === KILLED);
    if (isKilled && Date.now() > begun + GONE_MS) return;
    if (Date.now() > begun + KILLED_MS) throw new EngineRefused('Sessions of the database cannot be ended.');
    for (const { id, command } of sessions) if (command !== KILLED) await kill(session, id);
    await delay(2);
  }
}

async function list({ connection }: Session, before: number): Promise<Listed[]> {
  const [rows] = await connection.query<Listed[]>(
    `select id, user, host, command from information_schema.processlist where id < ?`,
    [before],
  );
  return rows.map((row) => ({ ...row, host: addressIn(row.host) }));
}

/** `203.0.113.7:50123`, `2001:db8::7:50123`, `localhost`. */
function addressIn(host: string): string {
  const end = host.lastIndexOf(':');
  return end === -1 ? host : host.slice(0, end);
}

export async function kill({ connection }: Session, id: number): Promise<void> {
  try {
    await connection.query(`kill connection ${id}`);
  } catch (error) {
    if ((error as { errno?: number }).errno !== NO_SUCH_SESSION) throw error;
  }
}
