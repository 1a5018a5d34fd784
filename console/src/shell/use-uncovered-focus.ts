import { type RefObject, useEffect } from 'react';

const GAP = 12;

/** What has the focus is never beneath what lies over the end of the page, as long as that shows anything. */
export function useUncoveredFocus(cover: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  useEffect(() => {
    if (shown.length === 0) return undefined;
    const uncover = () => {
      const focused = document.activeElement;
      if (!cover.current || !focused || cover.current.contains(focused)) return;
      const [place, over] = [focused.getBoundingClientRect(), cover.current.getBoundingClientRect()];
      const hidden = place.bottom + GAP - over.top;
      const isBeneath = hidden > 0 && place.top < over.bottom && place.left < over.right && place.right > over.left;
      // Of what is taller than the room above, the beginning is worth more.
      if (isBeneath && hidden <= place.top) scrollBy({ top: hidden, behavior: 'instant' });
    };
    // The browser scrolls to what gets the focus, too.
    const uncoverSoon = () => requestAnimationFrame(uncover);
    uncover();
    addEventListener('focusin', uncoverSoon);
    return () => removeEventListener('focusin', uncoverSoon);
  }, [cover, shown]);
}
