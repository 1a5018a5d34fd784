import type { TabMessage } from '../tab-channel.ts';
import { refreshLock } from '../refresh-lock.ts';
import { storedRefreshAttempt } from '../refresh-attempt.ts';
import { storedSession } from '../remembered-session.ts';
import { Session } from '../session.ts';

/** As much of the platform as a session can tell: single-use refresh tokens, access tokens, refusals. */
export class FakePlatform {
  refreshes = 0;
  refusals = 0;
  isDown = false;
  /** How long it wants to be left alone, when it was asked too much. */
  retryAfterSeconds: number | null = null;
  losesNextAnswer = false;
  /** What it was asked to do, whether or not it could say that it did. */
  readonly done: string[] = [];
  /** Whose cookie the browser holds. */
  userId = 'usr_1';
  readonly idempotencyKeys: string[] = [];
  readonly #fresh = new Set<string>();
  readonly #usedWith = new Map<string, string>();
  readonly #accessTokens = new Set<string>();
  #count = 0;

  issueRefreshToken(): string {
    const token = `refresh-${++this.#count}`;
    this.#fresh.add(token);
    return token;
  }

  issueAccessToken(): string {
    const claims = { sid: 'ses_1', sub: this.userId, iat: 1_000_000, exp: 1_000_000 + 900, jti: ++this.#count };
    const token = `head.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.signature`;
    this.#accessTokens.add(token);
    return token;
  }

  revokeAccessTokens(): void {
    this.#accessTokens.clear();
  }

  /** Answers as the API does; the browser holds the cookie. */
  async answer(url: string, init: RequestInit, browser: FakeBrowser): Promise<Response> {
    await Promise.resolve();
    if (this.isDown) throw new TypeError('fetch failed');
    if (this.retryAfterSeconds !== null) return tooMany(this.retryAfterSeconds);
    if (url.endsWith('/api/auth/refresh')) return this.#refresh(init, browser);
    if (url.endsWith('/api/auth/logout')) return Response.json({ message: 'Signed out.' });
    const header = new Headers(init.headers).get('authorization');
    if (!header) return refusal('CA001');
    if (this.#accessTokens.has(header.replace('Bearer ', ''))) return this.#answerOf(url);
    this.refusals++;
    return refusal('CA002');
  }

  #answerOf(url: string): Response {
    this.done.push(new URL(url).pathname);
    if (!this.losesNextAnswer) return answerOf(url);
    this.losesNextAnswer = false;
    throw new TypeError('the connection broke');
  }

  async #refresh(init: RequestInit, browser: FakeBrowser): Promise<Response> {
    const { cookie } = browser;
    if (!cookie) return refusal('CA001');
    const key = new Headers(init.headers).get('idempotency-key') ?? '';
    this.idempotencyKeys.push(key);
    if (!this.#fresh.delete(cookie) && this.#usedWith.get(cookie) !== key) return refusal('CA002');
    this.#usedWith.set(cookie, key);
    this.refreshes++;
    const successor = this.issueRefreshToken();
    await Promise.resolve();
    if (this.losesNextAnswer) {
      this.losesNextAnswer = false;
      throw new TypeError('the page went away');
    }
    browser.cookie = successor;
    return Response.json({ token: this.issueAccessToken() });
  }
}

interface Timer {
  work: () => void;
  delayMs: number;
}

export interface FakeTab {
  session: Session;
  timer: Timer | null;
  hasUnsaved: boolean;
  /** Where new documents were begun in the place of this one. */
  startedAnew: string[];
  /** Lets the scheduled refresh happen, and waits for it. */
  runTimer(): Promise<void>;
}

interface TabParts {
  setTimer: (timer: Timer) => void;
  hasUnsaved: () => boolean;
  startAnew: (to?: string) => void;
}

/** One browser: tabs that share a cookie, a storage, a channel and, perhaps, locks. */
export class FakeBrowser {
  cookie: string | null = null;
  nowMs = 1_700_000_000_000;
  readonly #platform: FakePlatform;
  readonly #locks: LockManager | undefined;
  readonly #storage = new Map<string, string>();
  readonly #listeners: ((message: TabMessage) => void)[] = [];

  constructor(platform: FakePlatform, { hasLocks = true }: { hasLocks?: boolean } = {}) {
    this.#platform = platform;
    this.#locks = hasLocks ? navigator.locks : undefined;
  }

  openTab(): FakeTab {
    const tab: FakeTab = {
      session: this.#openSession({
        setTimer: (timer) => (tab.timer = timer),
        hasUnsaved: () => tab.hasUnsaved,
        startAnew: (to = 'the same address') => tab.startedAnew.push(to),
      }),
      timer: null,
      hasUnsaved: false,
      startedAnew: [],
      async runTimer() {
        tab.timer?.work();
        await tab.session.refresh();
      },
    };
    return tab;
  }

  #openSession({ setTimer, hasUnsaved, startAnew }: TabParts): Session {
    let ownListener: ((message: TabMessage) => void) | null = null;
    return new Session({
      baseUrl: 'https://lilac.example.org',
      fetch: (url, init) => this.#platform.answer(url as string, init ?? {}, this),
      lock: refreshLock(this.#locks),
      attempt: storedRefreshAttempt(this.#asStorage()),
      remembered: storedSession(this.#asStorage()),
      tabs: {
        tell: (message) => this.#listeners.filter((one) => one !== ownListener).forEach((one) => one(message)),
        listen: (listener) => this.#listeners.push((ownListener = listener)),
      },
      hasUnsaved,
      startAnew,
      now: () => this.nowMs,
      wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
      schedule(work, delayMs) {
        setTimer({ work, delayMs });
        return () => {};
      },
    });
  }

  #asStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
    return {
      getItem: (key) => this.#storage.get(key) ?? null,
      setItem: (key, value) => void this.#storage.set(key, value),
      removeItem: (key) => void this.#storage.delete(key),
    };
  }
}

function answerOf(url: string): Response {
  if (!url.endsWith('/stream')) return Response.json({ email: 'ada@example.org' });
  const headers = { 'content-type': 'text/event-stream' };
  return new Response('id: 1\nevent: log\ndata: {"message":"hello"}\n\n', { headers });
}

function refusal(code: string): Response {
  return Response.json({ message: 'Refused.', code }, { status: 401 });
}

function tooMany(seconds: number): Response {
  const headers = { 'retry-after': String(seconds) };
  return Response.json({ message: 'Too many requests.', code: 'CA009' }, { status: 429, headers });
}
