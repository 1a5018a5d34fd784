const KEY = 'lilac.session';

/**
 * Which session this browser is in: its id, which opens nothing. On plain http an application below the platform's
 * domain can set cookies for the platform; what a page stores, it cannot. So the platform heeds the cookie of the
 * session that the page names, and no other.
 */
export interface RememberedSession {
  headers(): Record<string, string>;
  set(sessionId: string): void;
  forget(): void;
}

export function storedSession(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): RememberedSession {
  return {
    headers(): Record<string, string> {
      const id = storage.getItem(KEY);
      return id === null ? {} : { 'X-Session-Id': id };
    },
    set: (sessionId) => storage.setItem(KEY, sessionId),
    forget: () => storage.removeItem(KEY),
  };
}
