type Texts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What the console keeps in the browser. */
export interface KeptTexts extends Texts {
  /** False where it is gone with the page. */
  setItem(key: string, text: string): boolean;
}

/** For every tab, and after the window is closed. */
export const keptByBrowser = forgiving(() => localStorage);
/** For this tab alone, also over a reload. */
export const keptByTab = forgiving(() => sessionStorage);

/**
 * A browser that is told to block a site's data throws at the mere name of a storage, and one that is full at each
 * write. What it does not keep lasts as long as the page does.
 */
export function forgiving(open: () => Texts): KeptTexts {
  const unkept = new Map<string, string>();
  return {
    getItem(key) {
      return unkept.get(key) ?? attempt(() => open().getItem(key)) ?? null;
    },
    setItem(key, text) {
      unkept.set(key, text);
      attempt(() => {
        open().setItem(key, text);
        unkept.delete(key);
      });
      return !unkept.has(key);
    },
    removeItem(key) {
      unkept.delete(key);
      attempt(() => open().removeItem(key));
    },
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
