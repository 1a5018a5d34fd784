import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db, Store } from '../../db/pool.ts';
import { RETURN_MS } from '../../db/return-time.ts';
import type { Log } from '../../lib/log.ts';
import { APIS_CHANNEL, readApis, type AnnouncedApi } from '../../routing/api-store.ts';
import { SealedValueError } from '../../secrets/envelope.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { platformSecret } from '../../secrets/platform-secrets-store.ts';
import type { Follower } from '../routes/route-listener.ts';

export interface Peer {
  host: string;
  port: number;
}

export interface ApiDirectoryOptions {
  store: Store;
  keyring: Keyring;
  /** Where the api of this host listens, if there is one. */
  apiSocket: string;
  log: Log;
}

/** The safety net for a notification that was missed. */
const POLL_MS = 2000;
/** A store that took this long to answer was as good as away. */
const SLOW_MS = 4000;
/** Whoever asks sooner gets what was found. */
const LOOK_EVERY_MS = 200;
const LOOK_WITHIN_MS = 1000;
const PROBE_WITHIN_MS = 500;

/**
 * The apis of other hosts, as they announce themselves in the store. Without the store, and until they could announce
 * themselves again, they are those that were known; who of them does not answer is tried last.
 */
export class ApiDirectory implements Follower {
  readonly channel = APIS_CHANNEL;
  readonly #options: ApiDirectoryOptions;
  #peers: readonly Peer[] = [];
  /** Those that took no connection when it was last tried. */
  #silent: readonly Peer[] = [];
  /** When the store was last seen to be away, by the monotonic clock. */
  #awayAt = -Infinity;
  #secret: Buffer | null = null;
  #turn = 0;
  #looking: Promise<void> | null = null;
  #lookedAt = -Infinity;
  #isTold = false;
  #timer: NodeJS.Timeout | undefined;
  /** The connection that the edge listens on, while it is there. */
  #shared: Db | null = null;
  readonly #watchers: ((peer: Peer) => void)[] = [];

  constructor(options: ApiDirectoryOptions) {
    this.#options = options;
  }

  use(db: Db | null): void {
    this.#shared = db;
  }

  get secret(): Buffer | null {
    return this.#secret;
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#peers.length > 0 || !existsSync(this.#options.apiSocket)) void this.look();
    }, POLL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  onWake(): void {
    this.#lookedAt = -Infinity;
    void this.look();
  }

  onConnect(): void {
    this.onWake();
  }

  /** Is told of who has gone without a word. */
  watch(onGone: (peer: Peer) => void): void {
    this.#watchers.push(onGone);
  }

  /** In the order to be tried; each time another is the first. */
  list(): readonly Peer[] {
    const peers = this.#peers;
    if (peers.length < 2) return peers;
    const first = this.#turn++ % peers.length;
    const all = [...peers.slice(first), ...peers.slice(0, first)];
    if (this.#silent.length === 0) return all;
    return [...all.filter((peer) => !has(this.#silent, peer)), ...all.filter((peer) => has(this.#silent, peer))];
  }

  /** Asks the store who there is, unless that was just done. Never fails, and waits for no store that is silent. */
  look(): Promise<void> {
    if (!this.#looking) {
      if (performance.now() - this.#lookedAt < LOOK_EVERY_MS) return Promise.resolve();
      this.#lookedAt = performance.now();
      this.#looking = this.#read()
        .catch((error: unknown) => this.#noteFailure(error))
        .finally(() => (this.#looking = null));
    }
    return Promise.race([this.#looking, delay(LOOK_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Whether anybody takes connections now. */
  async isAnyThere(): Promise<boolean> {
    await this.look();
    const answers = await Promise.all(this.#peers.map(isListening));
    return answers.includes(true);
  }

  async #read(): Promise<void> {
    const { store, keyring } = this.#options;
    const askedAt = performance.now();
    const apis = await readApis(this.#shared ?? store.db);
    if (performance.now() - askedAt > SLOW_MS) this.#awayAt = performance.now();
    if (apis.length > 0) this.#secret ??= await platformSecret({ store, keyring }, 'edge-to-api');
    const before = this.#peers;
    // Until then the store's word on who is overdue is old.
    const mayReturn = performance.now() - this.#awayAt < RETURN_MS;
    const isKept = ({ isOverdue, ...api }: AnnouncedApi) => !isOverdue || (mayReturn && has(before, api));
    this.#peers = placesOf(apis.filter(isKept));
    // Whoever came after it at its place, as after a restart of its machine, is not gone.
    const gone = placesOf(apis.filter((api) => has(before, api) && !has(this.#peers, api)));
    for (const peer of gone) for (const tell of this.#watchers) tell(peer);
    this.#isTold = false;
    if (mayReturn) await this.#tryPeers();
    else this.#silent = [];
  }

  async #noteFailure(error: unknown): Promise<void> {
    if (error instanceof SealedValueError) return this.#tellOfKey(error);
    // That the store is away is told by others.
    this.#awayAt = performance.now();
    await this.#tryPeers();
  }

  async #tryPeers(): Promise<void> {
    const peers = this.#peers;
    const answers = await Promise.all(peers.map(isListening));
    this.#silent = peers.filter((_, at) => !answers[at]);
  }

  #tellOfKey(error: SealedValueError): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#options.log.error({ err: error }, 'The apis of other hosts cannot be called: the key file is another one');
  }
}

/** Each once: a host that was started again has another name at the same place. */
function placesOf(apis: readonly AnnouncedApi[]): Peer[] {
  const places = new Map(apis.map(({ host, port }) => [`${host} ${port}`, { host, port }]));
  return [...places.values()];
}

function has(peers: readonly Peer[], { host, port }: Peer): boolean {
  return peers.some((peer) => peer.host === host && peer.port === port);
}

function isListening({ host, port }: Peer): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PROBE_WITHIN_MS });
    const say = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => say(true)).once('timeout', () => say(false));
    socket.on('error', () => say(false));
  });
}
