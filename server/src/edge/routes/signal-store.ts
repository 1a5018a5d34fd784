import type { Client } from '../../routing/channel-listener.ts';

/** A store that hangs must not be told more and more. */
const MAX_UNHEARD = 100;

/** Says something on a channel. Fire and forget: what is lost is in the edge's next report too. */
export class Signaller {
  #client: Client | null = null;
  #unheard = 0;

  /** By this connection from now on; null: there is none. */
  use(client: Client | null): void {
    this.#client = client;
    this.#unheard = 0;
  }

  send(channel: string, payload: string): void {
    if (this.#client && this.#unheard < MAX_UNHEARD) void this.#say(this.#client, channel, payload);
  }

  async #say(client: Client, channel: string, payload: string): Promise<void> {
    this.#unheard++;
    await client.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {});
    if (client === this.#client) this.#unheard--;
  }
}
