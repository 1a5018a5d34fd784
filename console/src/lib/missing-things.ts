type Body = Readonly<Record<string, unknown>>;
type Listener = (name: string, body: Body) => void;

/** What pages have asked for in vain: who may know where it is instead hears of it here, and need not ask the same. */
export interface MissingThings {
  tell: (name: string, body: Body) => void;
  subscribe: (listener: Listener) => () => void;
}

export function createMissingThings(): MissingThings {
  const listeners = new Set<Listener>();
  return {
    tell(name, body) {
      for (const listener of listeners) listener(name, body);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Those of this window. */
export const missingThings = createMissingThings();
