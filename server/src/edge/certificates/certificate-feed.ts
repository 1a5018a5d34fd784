import { setTimeout as delay } from 'node:timers/promises';
import { CERTIFICATES_CHANNEL, readServedCertificates } from '../../certificates/served-certificate-store.ts';
import { readOrCreateLocalAuthority } from '../../certificates/local/local-authority-store.ts';
import type { Config } from '../../config.ts';
import type { Db, Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { SealedValueError } from '../../secrets/envelope.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { platformSecret } from '../../secrets/platform-secrets-store.ts';
import { Alarm } from '../routes/alarm.ts';
import type { Follower } from '../routes/route-listener.ts';
import { createSnapshotWriter } from '../snapshot/snapshot-writer.ts';
import { readCertificateSnapshot, writeCertificateSnapshot } from './certificate-snapshot.ts';
import type { CertificateTable } from './certificate-table.ts';
import type { LocalLeaves } from './local-leaves.ts';
import type { TicketKeys } from './ticket-keys.ts';

export interface CertificateFeedOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'domains'>;
  store: Store;
  keyring: Keyring;
  table: CertificateTable;
  leaves: LocalLeaves;
  tickets: TicketKeys;
  snapshotPath: string;
  clock: Clock;
  log: Log;
  /** The safety net for a notification that was missed. */
  pollMs?: number;
  /** How often everything is read: what is gone is noticed, and keys are held as they are sealed now. */
  wholeMs?: number;
}

export interface CertificateFeed extends Follower {
  /** Resolves when the table is as the store has it, or, when the store is away, soon. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 5000;
const WHOLE_MS = 3_600_000;
const RETRY_MS = 200;
const LONG_RETRY_MS = 1000;
const LONG_AWAY_MS = 5000;
/** An edge starts without the store, but a store that is there is worth a moment. */
const PATIENCE_MS = 1500;
const LAST_WORDS_MS = 1000;

const ticketPlace = { table: 'platform_secrets', row: 'tls-tickets', column: 'sealed' } as const;

/** Keeps what https needs as the store has it. Without the store, it stays as it was. */
export function createCertificateFeed(options: CertificateFeedOptions): CertificateFeed {
  const { config, store, keyring, table, leaves, tickets, snapshotPath, clock, log } = options;
  const { pollMs = POLL_MS, wholeMs = WHOLE_MS } = options;
  const alarm = new Alarm();
  const stopping = new AbortController();
  const firstRead = Promise.withResolvers<void>();
  let version = 0;
  let mustReadAll = true;
  let readAllAt = 0;
  let ticketSecret: string | null = null;
  let failsSince: number | null = null;
  let isLong = false;
  let told = '';
  /** For what is soon read: the connection that the edge listens on, while it is there. */
  let shared = store.db;
  const snapshot = createSnapshotWriter({
    path: snapshotPath,
    write: () =>
      writeCertificateSnapshot(snapshotPath, {
        certificates: [...table.all()],
        authority: leaves.stored,
        ticketSecret,
      }),
    log,
  });

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isWell = await round().then(
        () => noteFailure(null),
        (error: unknown) => noteFailure(error),
      );
      await alarm.wait(isWell ? pollMs : isLong ? LONG_RETRY_MS : RETRY_MS);
    }
  }

  async function round(): Promise<void> {
    const isWhole = mustReadAll || performance.now() - readAllAt > wholeMs;
    mustReadAll = false;
    try {
      const hasChanged = await (isWhole ? readAll() : readNew());
      if (isWhole || hasChanged) snapshot.note();
    } catch (error) {
      // It may be another store when it is back: one that was restored.
      mustReadAll = true;
      throw error;
    }
    if (isWhole || ticketSecret === null || leaves.stored === null) await learnSecrets();
    firstRead.resolve();
  }

  async function readNew(): Promise<boolean> {
    const before = version;
    version = await readAfter(shared, version);
    return version > before;
  }

  async function readAll(): Promise<boolean> {
    const ids = new Set<string>();
    version = await readAfter(store.db, 0, (id) => ids.add(id));
    table.keepOnly(ids);
    readAllAt = performance.now();
    return true;
  }

  /** Returns how far it came. */
  async function readAfter(db: Db, from: number, note?: (id: string) => void): Promise<number> {
    for (let newest = from; ;) {
      const page = await readServedCertificates(db, newest);
      if (page.length === 0) return newest;
      for (const certificate of page) {
        table.put(certificate);
        note?.(certificate.id);
        newest = certificate.version;
      }
    }
  }

  async function learnSecrets(): Promise<void> {
    leaves.learn(await readOrCreateLocalAuthority({ store, config, keyring, clock, log }));
    const secret = await platformSecret({ store, keyring }, ticketPlace.row);
    tickets.learn(secret);
    ticketSecret = keyring.seal(secret.toString('base64'), ticketPlace);
    snapshot.note();
  }

  async function readLast(): Promise<void> {
    const last = await readCertificateSnapshot(snapshotPath);
    if (!last) return;
    for (const certificate of last.certificates) table.hold(certificate);
    try {
      if (last.authority) leaves.learn(last.authority);
      if (last.ticketSecret) tickets.learn(Buffer.from(keyring.open(last.ticketSecret, ticketPlace), 'base64'));
    } catch (error) {
      log.warn({ err: error }, 'Keys that were kept for the time without the store do not open');
    }
  }

  /** That the store is away is told by who follows the routes. */
  function noteFailure(error: unknown): boolean {
    failsSince = error === null ? null : (failsSince ?? performance.now());
    isLong = failsSince !== null && performance.now() - failsSince > LONG_AWAY_MS;
    if (error instanceof SealedValueError && error.message !== told) {
      told = error.message;
      log.error({ reason: told }, 'Keys for https do not open: names without a certificate are not served by https');
    }
    return error === null;
  }

  let following: Promise<void> | undefined;
  return {
    channel: CERTIFICATES_CHANNEL,
    onWake: () => alarm.ring(),
    onConnect: (isFirst) => {
      mustReadAll ||= !isFirst;
      alarm.ring();
    },
    use: (db) => (shared = db ?? store.db),
    start: async () => {
      await readLast();
      following = follow();
      await Promise.race([firstRead.promise, delay(PATIENCE_MS, undefined, { ref: false })]);
    },
    stop: async () => {
      stopping.abort();
      alarm.ring();
      await Promise.race([following, delay(LAST_WORDS_MS, undefined, { ref: false })]);
      await snapshot.close();
    },
  };
}
