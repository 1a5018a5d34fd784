import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button that may go while it has the focus, with its row or alone: what stands nearest has it then, unless
 * another heir is named.
 */
export function useLeavingFocus(heir?: RefObject<HTMLElement | null>): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      const leaving = button.current;
      if (!leaving || document.activeElement !== leaving) return;
      const heirs = [heir?.current ?? [], heirsOf(leaving)].flat();
      // What goes with it is known only when all have gone, and by then something may have taken the focus on purpose.
      queueMicrotask(() => document.activeElement === document.body && giveFocus(heirs));
    },
    [heir],
  );
  return button;
}

/** Another button of its row where that stays, the same one of the rows after and before it, and the headings above. */
function heirsOf(button: HTMLButtonElement): HTMLElement[] {
  const row = button.closest('li, tr');
  const others = [...rowsBeside(row, 'nextElementSibling'), ...rowsBeside(row, 'previousElementSibling')];
  const isAlike = ({ textContent }: HTMLElement) => textContent === button.textContent;
  return [
    ...(row ? buttonsIn(row) : []),
    ...others.flatMap((each) => buttonsIn(each).filter(isAlike)),
    ...headingsAbove(button),
  ];
}

function rowsBeside(row: Element | null, side: 'nextElementSibling' | 'previousElementSibling'): Element[] {
  const next = row?.[side];
  return next ? [next, ...rowsBeside(next, side)] : [];
}

function headingsAbove(element: Element): HTMLElement[] {
  const place = element.closest('section, dialog');
  if (!place) return [...document.querySelectorAll('h1')];
  return [...[...place.querySelectorAll('h2')].slice(0, 1), ...headingsAbove(place.parentElement!)];
}

function buttonsIn(row: Element): HTMLElement[] {
  return [...row.querySelectorAll('button')];
}

function giveFocus(heirs: readonly HTMLElement[]): void {
  const heir = heirs.find((each) => each.isConnected && each.checkVisibility() && !each.matches(':disabled'));
  if (heir?.matches('h1, h2')) heir.tabIndex = -1;
  // Whoever uses a mouse is not to lose sight of the place.
  heir?.focus({ preventScroll: heir.matches('h1, h2') });
}
