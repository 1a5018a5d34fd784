/** What a sign-in answers, and every refresh anew. */
export interface TokenPair {
  /** The access token. It lives for minutes. */
  token: string;
  /** Works once. Left out in a page of the platform itself, where it is a cookie that no script can read. */
  refreshToken?: string | undefined;
  /**
   * There while the pair is being exchanged: a process that is killed before the answer arrived can ask again
   * with it, and is not signed out. Store it with the rest.
   */
  refreshKey?: string | undefined;
}

/**
 * Where a signed-in person's tokens are kept. The SDK refreshes by it, once however many ask, and stores the new
 * pair before using it.
 */
export interface SessionStore {
  read(): Promise<TokenPair | null>;
  write(pair: TokenPair): Promise<void>;
  /** Called when the platform no longer takes the pair: whoever it was has to sign in again. */
  clear(): Promise<void>;
  /** One refresh at a time, over all processes that share the store. Needed where there can be several. */
  lock?<T>(work: () => Promise<T>): Promise<T>;
}

/** Keeps the pair as long as the program runs. */
export function memorySession(pair: TokenPair | null = null): SessionStore {
  let current = pair;
  return {
    read: () => Promise.resolve(current),
    write(next) {
      current = next;
      return Promise.resolve();
    },
    clear() {
      current = null;
      return Promise.resolve();
    },
  };
}
