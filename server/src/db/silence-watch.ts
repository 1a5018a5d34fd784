import type { Socket } from 'node:net';
import pg from 'pg';

export interface SilenceWatchOptions {
  newClient(): pg.Client;
  /** How long an answer may take before it is asked whether there will be one. */
  patienceMs: number;
}

/** The driver has these besides what it declares. */
interface Wire {
  processID: number | null;
  readyForQuery?: boolean;
}

interface Watched {
  client: pg.Client & Wire;
  bytesRead: number;
  /** Since when it waits for an answer and hears nothing, by the monotonic clock; null: it does not wait. */
  quietSince: number | null;
  /** How often in a row the store said that it works on nothing of this connection. */
  doubts: number;
}

const LOOKS_WITHIN_PATIENCE = 4;
/** An answer may be on its way while it is asked for. */
const ENOUGH_DOUBTS = 2;

/**
 * Ends connections whose other end is gone without a word: a machine that lost its power, a firewall that forgot them.
 * The system would wait for a quarter of an hour. How long a statement may take is nobody's to say, so the store is
 * asked, on another connection, whether it still works on it.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** One that is connected. */
  add(given: pg.Client): void {
    if (isOfThisMachine(given)) return;
    const client = given as Watched['client'];
    const watched: Watched = { client, bytesRead: 0, quietSince: null, doubts: 0 };
    this.#watched.add(watched);
    client.once('end', () => {
      this.#watched.delete(watched);
      if (this.#watched.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => this.#look(), this.#options.patienceMs / LOOKS_WITHIN_PATIENCE).unref();
  }

  #look(): void {
    const now = performance.now();
    for (const watched of this.#watched) note(watched, now);
    const overdue = [...this.#watched].filter(
      ({ quietSince }) => quietSince !== null && now - quietSince >= this.#options.patienceMs,
    );
    if (overdue.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    void this.#judge(overdue).finally(() => (this.#isAsking = false));
  }

  async #judge(overdue: readonly Watched[]): Promise<void> {
    const before = overdue.map(({ quietSince }) => quietSince);
    const states = await this.#ask(overdue.map(({ client }) => client.processID ?? 0));
    for (const [at, watched] of overdue.entries()) {
      note(watched, performance.now());
      if (watched.quietSince !== before[at]) continue;
      const state = states?.[at];
      watched.doubts = state === 'idle' ? watched.doubts + 1 : 0;
      if (states === null || state === 'gone' || watched.doubts >= ENOUGH_DOUBTS) end(watched);
      else if (state !== 'idle') watched.quietSince = performance.now();
    }
  }

  /** What the store does for each; null: it does not answer at all. */
  async #ask(pids: readonly number[]): Promise<BackendState[] | null> {
    const client = this.#options.newClient();
    client.on('error', () => {});
    const timer = setTimeout(() => streamOf(client).destroy(), this.#options.patienceMs / 2);
    try {
      await client.connect();
      const { rows } = await client.query<BackendRow>(BACKENDS, [pids]);
      const own = (client as pg.Client & Wire).processID;
      // Something between here and the store gives out numbers of its own.
      if (rows.some(({ asker }) => asker !== own)) return pids.map(() => 'unknown');
      return rows.map(stateOf);
    } catch (error) {
      // Whoever refuses lives: it is full, or starts.
      return error instanceof pg.DatabaseError ? pids.map(() => 'unknown') : null;
    } finally {
      clearTimeout(timer);
      client.end().catch(() => {});
    }
  }
}

/** By a unix socket: the system knows of each end when it is gone. */
export function isOfThisMachine(client: pg.Client): boolean {
  return streamOf(client).remoteAddress === undefined;
}

type BackendState = 'working' | 'idle' | 'gone' | 'unknown';

interface BackendRow {
  asker: number;
  found: number | null;
  state: string | null;
}

const BACKENDS = `
  select pg_backend_pid() as asker, a.pid as found, a.state
  from unnest($1::int[]) with ordinality as wanted (pid, at)
  left join pg_stat_activity a on a.pid = wanted.pid
  order by wanted.at`;

function stateOf({ found, state }: BackendRow): BackendState {
  if (found === null) return 'gone';
  if (state === null || state === 'disabled') return 'unknown';
  return state.startsWith('idle') ? 'idle' : 'working';
}

function note(watched: Watched, now: number): void {
  const { bytesRead } = streamOf(watched.client);
  const hasHeard = bytesRead !== watched.bytesRead;
  watched.bytesRead = bytesRead;
  if (watched.client.readyForQuery !== false) watched.quietSince = null;
  else if (hasHeard || watched.quietSince === null) watched.quietSince = now;
}

function end(watched: Watched): void {
  streamOf(watched.client).destroy(new Error('Connection terminated: the store does not answer'));
}

function streamOf(client: pg.Client): Socket {
  return client.connection.stream as Socket;
}
