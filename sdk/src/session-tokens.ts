import { ApiError, type Client } from '@lilac/contract/client';
import { hasCode, isUnauthenticated, SignedOut } from './errors.ts';
import { readLifetime } from './read-lifetime.ts';
import type { SessionStore, TokenPair } from './session-store.ts';
import { isTransient, pause, Tries } from './tries.ts';

export interface SessionTokensOptions {
  store: SessionStore;
  /** Calls without any credential. */
  client: Client;
  retryForMs: number;
}

/** So long before it expires an access token is exchanged: a call under way must not see it end. */
const RENEW_BEFORE_EXPIRY_MS = 30_000;
/** How long another process that shares the store without a lock may need to write what it was answered. */
const OVERTAKEN_WAIT_MS = 500;
const OVERTAKEN_TRIES = 3;

/** The access token of a signed-in person, kept fresh. */
export class SessionTokens {
  readonly #options: SessionTokensOptions;
  #held: { pair: TokenPair; expiresAtMs: number } | null = null;
  #renewing: Promise<string> | null = null;

  constructor(options: SessionTokensOptions) {
    this.#options = options;
  }

  /** One that is good for a while; throws `SignedOut` when there is none to be had. */
  async current(): Promise<string> {
    if (!this.#held) await this.#read();
    if (!this.#held) throw new SignedOut();
    const { pair, expiresAtMs } = this.#held;
    return expiresAtMs - RENEW_BEFORE_EXPIRY_MS > Date.now() ? pair.token : await this.renewed(pair.token);
  }

  /** However many ask at once, the refresh token is used once. */
  async renewed(refused: string): Promise<string> {
    if (this.#held && this.#held.pair.token !== refused) return this.#held.pair.token;
    this.#renewing ??= this.#renew(refused).finally(() => (this.#renewing = null));
    return await this.#renewing;
  }

  async #read(): Promise<TokenPair | null> {
    const pair = await this.#options.store.read();
    if (pair) this.#hold(pair, readLifetime(pair.token)?.expiresAtMs);
    else this.#held = null;
    return pair;
  }

  #hold(pair: TokenPair, expiresAtMs = Infinity): string {
    this.#held = { pair, expiresAtMs };
    return pair.token;
  }

  async #renew(refused: string): Promise<string> {
    const { store } = this.#options;
    const work = async () => {
      const pair = await this.#read();
      if (!pair) throw new SignedOut();
      // Another process was faster.
      return pair.token === refused ? await this.#exchange(pair) : pair.token;
    };
    return store.lock ? await store.lock(work) : await work();
  }

  async #exchange(pair: TokenPair): Promise<string> {
    const { store } = this.#options;
    const refreshKey = pair.refreshKey ?? newKey();
    // Only under a lock: of two that ask with the same key at once, one would be answered a dead pair.
    if (store.lock && !pair.refreshKey) await store.write({ ...pair, refreshKey });
    try {
      const renewed = await this.#ask(pair, refreshKey);
      assertRenewable(pair, renewed);
      await store.write(renewed);
      const lifetime = readLifetime(renewed.token);
      // By the time that passes here, not by the hour: clocks differ.
      return this.#hold(renewed, lifetime && Date.now() + lifetime.lifetimeMs);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      return await this.#afterRefusal(pair, error);
    }
  }

  /** An answer that was lost is asked for again with the same key, which gives another pair. */
  async #ask({ refreshToken }: TokenPair, refreshKey: string): Promise<TokenPair> {
    const { client, retryForMs } = this.#options;
    const tries = new Tries(retryForMs);
    for (;;) {
      try {
        return await client.call('auth.refresh', {
          ...(refreshToken !== undefined && { body: { refreshToken } }),
          headers: { 'Idempotency-Key': refreshKey, ...(refreshToken !== undefined && { 'X-Client-Type': 'cli' }) },
        });
      } catch (error) {
        if (!isTransient(error)) throw error;
        await tries.waitAfter(error);
      }
    }
  }

  /** Without a lock another process may have used the pair a moment ago, and is about to store the next. */
  async #afterRefusal(refused: TokenPair, cause: Error): Promise<string> {
    for (let tries = 0; tries < OVERTAKEN_TRIES && hasCode(cause, 'CA002'); tries++) {
      const pair = await this.#read();
      if (pair && pair.token !== refused.token) return pair.token;
      if (this.#options.store.lock) break;
      await pause(OVERTAKEN_WAIT_MS);
    }
    this.#held = null;
    await this.#options.store.clear();
    throw new SignedOut('The session is over. Sign in again.', { cause });
  }
}

/** What is stored is not replaced by a pair that could never be renewed. */
function assertRenewable(before: TokenPair, { refreshToken }: TokenPair): void {
  if (before.refreshToken === undefined || refreshToken !== undefined) return;
  throw new ApiError({
    status: 200,
    code: 'HTTP200',
    message:
      'The platform renewed the session without a refresh token, as for a browser. ' +
      'Does something in front of it take the header X-Client-Type away? Mend that, then sign in again.',
    errorId: null,
    retryAfterSeconds: null,
  });
}

/** `crypto.randomUUID` is missing on plain http addresses of a local network. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
