import type { RowDataPacket } from 'mysql2/promise';
import type { Session } from './connect.ts';

/** Somebody else has ended it, or is still at it. */
const NOT_OURS = [1397, 1399, 1402];

/** A transaction that was prepared (`xa prepare`) outlives its session, and holds what it has locked for ever. */
export async function undoPrepared({ connection }: Pick<Session, 'connection'>): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>("xa recover format = 'SQL'");
  for (const { data } of rows as { data: string }[]) {
    try {
      await connection.query(`xa rollback ${data}`);
    } catch (error) {
      if (!NOT_OURS.includes((error as { errno?: number }).errno ?? 0)) throw error;
    }
  }
}
