import { hkdfSync, randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';

const TICKET_KEYS_BYTES = 48;
const DAY_MS = 86_400_000;

export interface TicketKeys {
  /** The keys of today: the same buffer all day. */
  current(): Buffer;
  /** From what the platform keeps secret; until it is known, sessions go on at this edge alone. */
  learn(secret: Buffer): void;
}

/** What sessions are sealed with: any edge reads what another wrote, and nobody reads those of last week. */
export function createTicketKeys(clock: Clock): TicketKeys {
  let secret = randomBytes(32);
  let today = NaN;
  let keys: Buffer = Buffer.alloc(0);
  return {
    current: () => {
      const day = Math.floor(clock.now().getTime() / DAY_MS);
      if (day === today) return keys;
      today = day;
      keys = Buffer.from(hkdfSync('sha256', secret, '', `tls session tickets of day ${day}`, TICKET_KEYS_BYTES));
      return keys;
    },
    learn: (learned) => {
      if (learned.equals(secret)) return;
      secret = Buffer.from(learned);
      today = NaN;
    },
  };
}
