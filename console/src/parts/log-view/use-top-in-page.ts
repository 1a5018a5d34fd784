import { type RefObject, useLayoutEffect } from 'react';

/**
 * How far below the top of the page the element begins, as `--top-in-page`: what is above it comes and goes, and is as
 * high as the window is narrow.
 */
export function useTopInPage(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    let frame = 0;
    const measure = () => {
      const topPx = element.current!.getBoundingClientRect().top + scrollY;
      element.current!.style.setProperty('--top-in-page', `${Math.ceil(topPx)}px`);
    };
    measure();
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      // Not at once: it may change the size that is observed.
      frame = requestAnimationFrame(measure);
    });
    observer.observe(document.body);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [element]);
}
