import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

const MOVED = 'lilac:moved';

/** The path of the page that is shown. */
export function usePath(): string {
  return useSyncExternalStore(watchAddress, () => location.pathname);
}

export function navigate(to: string): void {
  history.pushState(null, '', to);
  dispatchEvent(new Event(MOVED));
  scrollTo(0, 0);
}

/** A link within the console. Opening it in a new tab stays the browser's business. */
export function Link({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} aria-current={usePath() === href ? 'page' : undefined} {...rest} />;
}

function watchAddress(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
}
