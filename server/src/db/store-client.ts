import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { isOfThisMachine } from './silence-watch.ts';

/**
 * A machine that is gone without a word: the store lets go of what it held after about six seconds, and so later than a
 * worker there, if it lives, is sure that it leads (`jobs/leaderships.ts`). Left to itself it waits for two hours.
 */
const NOTICING = `
  set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 4;
  set tcp_user_timeout = '6s'`;
/** Also while it works on a statement, or waits for a lock. */
const LOOKING_UP = `set client_connection_check_interval = '2s'`;
/** Not on every system. */
const NOT_THERE = '22023';

/** See `takeTime`. */
const PATIENT = `set tcp_user_timeout = '1min'`;

/**
 * Every connection to the store that may hold anything. By statements, once it is connected and before anybody has it:
 * what is asked for while connecting is refused by most poolers, and stands in the place of an operator's `options`.
 */
export class StoreClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | void {
    if (!callback) return this.#connect();
    void this.#connectAndTell(callback);
  }

  async #connectAndTell(tell: (error: Error | null, client?: pg.Client) => void): Promise<void> {
    let failure: Error | null = null;
    try {
      await this.#connect();
    } catch (error) {
      failure = error as Error;
    }
    if (failure) tell(failure);
    else tell(null, this);
  }

  async #connect(): Promise<pg.Client> {
    await super.connect();
    if (isOfThisMachine(this)) return this;
    // Whose statement fails is told so by that.
    this.on('error', () => {});
    try {
      await this.query(`${NOTICING}; ${LOOKING_UP}`);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== NOT_THERE) throw error;
      await this.query(NOTICING);
    }
    return this;
  }
}

/**
 * For who reads much and may stop reading for a while, since his own disk does: to the system of the store's machine
 * that is the same as one that is gone, though its own answers.
 */
export async function takeTime(client: pg.Client): Promise<void> {
  if (!isOfThisMachine(client)) await client.query(PATIENT);
}

/**
 * To be selected by a transaction that takes what others wait for: the store ends it where its process stands still, as
 * stopped ones do whose machine goes on to answer for them. Nothing but statements may come after it.
 */
export const letGoWhenFrozen: RawBuilder<string> = sql`set_config('idle_in_transaction_session_timeout', '30s', true)`;
