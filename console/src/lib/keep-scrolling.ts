import { ScrollPlaces } from './scroll-places.ts';

interface Entry {
  key: string;
}

let count = 0;

/** What a new entry of the history is known by, also after a reload. */
export const newEntry = (): Entry => ({ key: `${performance.timeOrigin} ${++count}` });

const keyOfEntry = (): string => (history.state as Entry | null)?.key ?? '';

/** To be called once, after whoever may keep the page from being left. */
export function keepScrolling(): void {
  const places = new ScrollPlaces({
    topPx: () => scrollY,
    mostPx: () => document.documentElement.scrollHeight - innerHeight,
    scrollTo: (top) => scrollTo({ top, behavior: 'instant' }),
    nowMs: () => performance.now(),
  });
  if (keyOfEntry() === '') history.replaceState(newEntry(), '');
  addEventListener('scroll', () => places.note(keyOfEntry()), { passive: true });
  addEventListener('popstate', () => places.comeBack(keyOfEntry()));
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(act, () => places.stop(), { passive: true, capture: true });
  }
  new ResizeObserver(() => places.grow()).observe(document.body);
}
