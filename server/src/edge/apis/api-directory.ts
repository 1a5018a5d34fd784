import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { Store } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { APIS_CHANNEL, readApis } from '../../routing/api-store.ts';
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
/** Whoever asks sooner gets what was found. */
const LOOK_EVERY_MS = 200;
const PROBE_WITHIN_MS = 500;

/** The apis of other hosts, as they announce themselves in the store. Without the store, they are as they were. */
export class ApiDirectory implements Follower {
  readonly channel = APIS_CHANNEL;
  readonly #options: ApiDirectoryOptions;
  #peers: readonly Peer[] = [];
  #secret: Buffer | null = null;
  #turn = 0;
  #looking: Promise<void> | null = null;
  #lookedAt = -Infinity;
  #isTold = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #watchers: ((peer: Peer) => void)[] = [];

  constructor(options: ApiDirectoryOptions) {
    this.#options = options;
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
    return [...peers.slice(first), ...peers.slice(0, first)];
  }

  /** Asks the store who there is, unless that was just done. Never fails. */
  look(): Promise<void> {
    if (this.#looking) return this.#looking;
    if (performance.now() - this.#lookedAt < LOOK_EVERY_MS) return Promise.resolve();
    this.#lookedAt = performance.now();
    this.#looking = this.#read()
      .catch((error: unknown) => this.#noteFailure(error))
      .finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** Whether anybody takes connections now. */
  async isAnyThere(): Promise<boolean> {
    await this.look();
    const answers = await Promise.all(this.#peers.map(isListening));
    return answers.includes(true);
  }

  async #read(): Promise<void> {
    const { store, keyring } = this.#options;
    const apis = await readApis(store.db);
    if (apis.length > 0) this.#secret ??= await platformSecret({ store, keyring }, 'edge-to-api');
    const before = this.#peers;
    this.#peers = apis.filter(({ isOverdue }) => !isOverdue).map(({ host, port }) => ({ host, port }));
    for (const { host, port, isOverdue } of apis) {
      if (!isOverdue || !before.some((peer) => peer.host === host && peer.port === port)) continue;
      for (const tell of this.#watchers) tell({ host, port });
    }
    this.#isTold = false;
  }

  /** That the store is away is told by others. */
  #noteFailure(error: unknown): void {
    if (!(error instanceof SealedValueError) || this.#isTold) return;
    this.#isTold = true;
    this.#options.log.error({ err: error }, 'The apis of other hosts cannot be called: the key file is another one');
  }
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
