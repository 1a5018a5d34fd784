import { ApiError, type Client, createClient } from '@lilac/contract/client';
import { isAnswerLost, isChanging, LostAnswer } from '../lib/lost-answer.ts';
import { type AccessToken, readAccessToken } from './access-token.ts';
import { type RefreshDeps, requestRefresh } from './request-refresh.ts';
import type { TabChannel } from './tab-channel.ts';

export type SessionState =
  | { status: 'starting' }
  | { status: 'unreachable' }
  /** The address has asked too much: the platform says when it may ask again. */
  | { status: 'throttled'; untilMs: number }
  | { status: 'signed-out' }
  /** It ended by itself or was ended elsewhere, under somebody's hands: what they wrote is still there. */
  | { status: 'ended'; token: AccessToken }
  | { status: 'signed-in'; token: AccessToken }
  /** The person has gone, and this document with them: another takes its place in a moment. */
  | { status: 'over' };

interface SessionDeps extends RefreshDeps {
  tabs: TabChannel;
  /** Whether something would be lost with the page. */
  hasUnsaved(): boolean;
  /** Puts a new document in the place of this one: at its address, unless another is given. */
  startAnew(to?: string): void;
  now(): number;
  /** Runs the work later; the answer cancels it. */
  schedule(work: () => void, delayMs: number): () => void;
}

const REFRESH_BEFORE_EXPIRY_MS = 60_000;
const RETRY_MS = 10_000;

/**
 * The signed-in person's access token, in memory only, kept fresh as long as the page lives. A document belongs to one
 * person: whoever follows them begins in a new one. So nothing that was begun for the first goes on as the next, and
 * nothing that the page remembers is there for them.
 */
export class Session {
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<() => void>();
  readonly #accessListeners = new Set<() => void>();
  readonly #lossListeners = new Set<() => void>();
  #state: SessionState = { status: 'starting' };
  #refreshing: Promise<void> | null = null;
  #cancelRefresh = () => {};

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    deps.tabs.listen((message) => {
      if (message === 'signed-out') this.#endByOthers();
      else void this.refresh();
    });
  }

  state = (): SessionState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Told when the platform refuses what the person's role or membership allowed before. */
  onAccessLost = (listener: () => void): (() => void) => {
    this.#accessListeners.add(listener);
    return () => this.#accessListeners.delete(listener);
  };

  /** Told when nobody knows whether something was changed: whatever is shown may be out of date. */
  onAnswerLost = (listener: () => void): (() => void) => {
    this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  };

  /** Signs in by the cookie, when there is one. However many ask at once, the cookie is used once. */
  async refresh(): Promise<void> {
    if (this.#state.status === 'over') return;
    this.#refreshing ??= this.#refreshNow().finally(() => (this.#refreshing = null));
    await this.#refreshing;
  }

  /**
   * Takes the token of a fresh sign-in. Whoever is another than before begins anew, at that address if one is given.
   */
  async adopt(text: string, to?: string): Promise<void> {
    this.#signIn(text, to);
    this.#deps.tabs.tell('signed-in');
    await this.#goOn();
  }

  /** Leads to that address, or to the same one again. */
  async signOut(to?: string): Promise<void> {
    await this.#goOn();
    const { lock, remembered } = this.#deps;
    await lock(async () => await this.#client(null).call('auth.logout', { headers: remembered.headers() }));
    remembered.forget();
    this.#deps.tabs.tell('signed-out');
    this.#startAnew(to);
  }

  /** For what asks by itself. Null where nobody is signed in. A computer that slept has missed the timer. */
  freshToken = async (): Promise<string | null> => {
    if (this.#state.status === 'signed-in' && this.#state.token.expiresAtMs <= this.#deps.now()) await this.refresh();
    await this.#goOn();
    return this.#currentToken();
  };

  call: Client['call'] = async (name, ...input) => {
    const token = await this.freshToken();
    try {
      return await this.#callWith(token)(name, ...input);
    } catch (error) {
      if (isOutOfDate(error)) for (const listener of this.#accessListeners) listener();
      const renewed = token && isRefused(error) ? await this.#renewedToken(token) : null;
      if (!renewed) throw error;
      return await this.#callWith(renewed)(name, ...input);
    }
  };

  /** Every connection asks for the token anew: a stream may live longer than one. */
  stream: Client['stream'] = (name, ...input) => {
    const { baseUrl, fetch } = this.#deps;
    let token: string | null = null;
    // Below the client, which knows where the stream goes on.
    const fetchTwice: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!token || !(await isRefusal(response))) return response;
      const renewed = await this.#renewedToken(token);
      if (!renewed) return response;
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${renewed}`);
      return await fetch(url, { ...init, headers });
    };
    const freshToken = async () => (token = await this.freshToken());
    return createClient({ baseUrl, fetch: fetchTwice, token: freshToken }).stream(name, ...input);
  };

  /** Of a change without an answer it is not said that it failed. */
  #callWith(token: string | null): Client['call'] {
    return async (name, ...input) => {
      try {
        return await this.#client(token).call(name, ...input);
      } catch (error) {
        const [{ body, signal } = {}] = input;
        if (signal?.aborted || !isAnswerLost(error) || !isChanging(name, body)) throw error;
        for (const listener of this.#lossListeners) listener();
        throw new LostAnswer('It may have been done.', { cause: error });
      } finally {
        await this.#goOn();
      }
    };
  }

  #client(token: string | null): Client {
    return createClient({ baseUrl: this.#deps.baseUrl, fetch: this.#deps.fetch, token: token ?? undefined });
  }

  #currentToken(): string | null {
    return this.#state.status === 'signed-in' ? this.#state.token.text : null;
  }

  /** Whose document it is, as soon as somebody has signed in. */
  #personId(): string | null {
    return 'token' in this.#state ? this.#state.token.userId : null;
  }

  /** Never, once the document is over: what was begun in it does not go on, and what fails in it is not told. */
  async #goOn(): Promise<void> {
    if (this.#state.status === 'over') await new Promise(() => {});
  }

  /** Null when there is none newer than the refused one. */
  async #renewedToken(refused: string): Promise<string | null> {
    if (this.#currentToken() === refused) await this.refresh();
    await this.#goOn();
    const token = this.#currentToken();
    return token === refused ? null : token;
  }

  async #refreshNow(): Promise<void> {
    try {
      const text = await requestRefresh(this.#deps);
      if (text) this.#signIn(text);
      else this.#end();
    } catch (error) {
      // The platform is restarting, the network is away or too much was asked: that signs nobody out.
      const pauseMs = isThrottled(error) ? error.retryAfterSeconds * 1000 : RETRY_MS;
      if (this.#isWaiting()) {
        const untilMs = this.#deps.now() + pauseMs;
        this.#enter(isThrottled(error) ? { status: 'throttled', untilMs } : { status: 'unreachable' });
      }
      this.#refreshIn(pauseMs);
    }
  }

  /** For the first answer: until it comes nobody knows who is there. */
  #isWaiting(): boolean {
    return ['starting', 'unreachable', 'throttled'].includes(this.#state.status);
  }

  #signIn(text: string, to?: string): void {
    if (this.#state.status === 'over') return;
    const token = readAccessToken(text, this.#deps.now());
    this.#deps.remembered.set(token.sessionId);
    const personId = this.#personId();
    if (personId !== null && personId !== token.userId) return this.#startAnew(to);
    this.#enter({ status: 'signed-in', token });
    this.#refreshIn(token.expiresAtMs - this.#deps.now() - REFRESH_BEFORE_EXPIRY_MS);
  }

  /** Signed out in another tab: who asked there was not asked about what is unsaved here. */
  #endByOthers(): void {
    if (this.#deps.hasUnsaved()) this.#end();
    else if (this.#personId() === null) this.#enter({ status: 'signed-out' });
    else this.#startAnew();
  }

  #end(): void {
    if (this.#state.status === 'signed-in') this.#enter({ status: 'ended', token: this.#state.token });
    else if (this.#state.status !== 'ended') this.#enter({ status: 'signed-out' });
  }

  /** The browser takes a moment: nothing of the person's is shown meanwhile. */
  #startAnew(to?: string): void {
    this.#enter({ status: 'over' });
    this.#deps.startAnew(to);
  }

  #enter(next: SessionState): void {
    if (this.#state.status === 'over') return;
    this.#cancelRefresh();
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  #refreshIn(delayMs: number): void {
    this.#cancelRefresh();
    if (this.#state.status === 'over') return;
    this.#cancelRefresh = this.#deps.schedule(() => void this.refresh(), Math.max(delayMs, 0));
  }
}

function isThrottled(error: unknown): error is ApiError & { retryAfterSeconds: number } {
  return error instanceof ApiError && error.status === 429 && error.retryAfterSeconds !== null;
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CA002';
}

async function isRefusal(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: string } | null;
  return body?.code === 'CA002';
}

function isOutOfDate(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'CA004' || error.code === 'CA005');
}
