const KEY = 'lilac.refresh-attempt';

/**
 * The Idempotency-Key of a refresh whose answer has not arrived. It outlives the page, so that a reload in
 * the middle of a refresh can repeat the call instead of losing the session. Worth nothing without the cookie.
 */
export interface RefreshAttempt {
  /** The key of the unanswered attempt, or a new one. */
  begin(): string;
  end(): void;
}

export function storedRefreshAttempt(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): RefreshAttempt {
  return {
    begin() {
      const key = storage.getItem(KEY) ?? newKey();
      storage.setItem(KEY, key);
      return key;
    },
    end() {
      storage.removeItem(KEY);
    },
  };
}

/** `crypto.randomUUID` is missing on plain http addresses of a local network. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
