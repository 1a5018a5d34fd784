import { ApiError, type Client, createClient } from '@lilac/contract/client';
import { type AccessToken, readAccessToken } from './access-token.ts';
import { type RefreshDeps, requestRefresh } from './request-refresh.ts';
import type { TabChannel } from './tab-channel.ts';

export type SessionState =
  | { status: 'starting' }
  | { status: 'unreachable' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; token: AccessToken };

export interface SessionDeps extends RefreshDeps {
  tabs: TabChannel;
  now(): number;
  /** Runs the work later; the answer cancels it. */
  schedule(work: () => void, delayMs: number): () => void;
}

const REFRESH_BEFORE_EXPIRY_MS = 60_000;
const RETRY_MS = 10_000;

/** The signed-in person's access token, in memory only, kept fresh as long as the page lives. */
export class Session {
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = { status: 'starting' };
  #refreshing: Promise<void> | null = null;
  #cancelRefresh = () => {};

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    deps.tabs.listen((message) => {
      if (message === 'signed-out') this.#enter({ status: 'signed-out' });
      else void this.refresh();
    });
  }

  state = (): SessionState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Signs in by the cookie, when there is one. However many ask at once, the cookie is used once. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshNow().finally(() => (this.#refreshing = null));
    await this.#refreshing;
  }

  /** Takes the token of a fresh sign-in. */
  adopt(text: string): void {
    this.#signIn(text);
    this.#deps.tabs.tell('signed-in');
  }

  async signOut(): Promise<void> {
    await this.#deps.lock(async () => await this.#client(null).call('auth.logout'));
    this.#enter({ status: 'signed-out' });
    this.#deps.tabs.tell('signed-out');
  }

  call: Client['call'] = async (name, ...input) => {
    const token = await this.#freshToken();
    try {
      return await this.#client(token).call(name, ...input);
    } catch (error) {
      if (!token || !isRefused(error)) throw error;
      const renewed = await this.#renewedToken(token);
      if (!renewed) throw error;
      return await this.#client(renewed).call(name, ...input);
    }
  };

  /** Every connection asks for the token anew: a stream may live longer than one. */
  stream: Client['stream'] = (name, ...input) =>
    createClient({
      baseUrl: this.#deps.baseUrl,
      fetch: this.#deps.fetch,
      token: () => this.#freshToken(),
    }).stream(name, ...input);

  #client(token: string | null): Client {
    return createClient({ baseUrl: this.#deps.baseUrl, fetch: this.#deps.fetch, token: token ?? undefined });
  }

  #currentToken(): string | null {
    return this.#state.status === 'signed-in' ? this.#state.token.text : null;
  }

  /** A computer that slept has missed the timer. */
  async #freshToken(): Promise<string | null> {
    if (this.#state.status === 'signed-in' && this.#state.token.expiresAtMs <= this.#deps.now()) await this.refresh();
    return this.#currentToken();
  }

  /** Null when there is none newer than the refused one. */
  async #renewedToken(refused: string): Promise<string | null> {
    if (this.#currentToken() === refused) await this.refresh();
    const token = this.#currentToken();
    return token === refused ? null : token;
  }

  async #refreshNow(): Promise<void> {
    try {
      const text = await requestRefresh(this.#deps);
      if (text) this.#signIn(text);
      else this.#enter({ status: 'signed-out' });
    } catch {
      // The platform is restarting or the network is away: that signs nobody out.
      if (this.#state.status === 'starting') this.#enter({ status: 'unreachable' });
      this.#refreshIn(RETRY_MS);
    }
  }

  #signIn(text: string): void {
    const token = readAccessToken(text, this.#deps.now());
    this.#enter({ status: 'signed-in', token });
    this.#refreshIn(token.expiresAtMs - this.#deps.now() - REFRESH_BEFORE_EXPIRY_MS);
  }

  #enter(next: SessionState): void {
    this.#cancelRefresh();
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  #refreshIn(delayMs: number): void {
    this.#cancelRefresh();
    this.#cancelRefresh = this.#deps.schedule(() => void this.refresh(), Math.max(delayMs, 0));
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CA002';
}
