import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext, useSyncExternalStore } from 'react';
import { keepScrolling, newEntry } from './keep-scrolling.ts';
import { guardHistory, leave } from './leaving.ts';

const MOVED = 'lilac:moved';

/** The path of the page that is shown. */
export function usePath(): string {
  return useSyncExternalStore(watchAddress, () => location.pathname);
}

/**
 * What stands behind # in the address. Whoever pastes a link over another one of the same page changes nothing else, and
 * the browser loads nothing: as the `key` of what is shown it begins that anew.
 */
export function useHash(): string {
  return useSyncExternalStore(watchHash, () => location.hash);
}

/** The ids in the address of the page; the shell fills it in. */
export const ParamsContext = createContext<Record<string, string>>({});

/** For pages whose address has it. */
export function useParam(name: string): string {
  const value = useContext(ParamsContext)[name];
  if (value === undefined) throw new Error(`The address of this page has no ${name}.`);
  return value;
}

/** One value of the address' query, for what a reload and a link should keep: a filter, a tab, a line. */
export function useQuery(name: string): [value: string, set: (value: string) => void] {
  const search = useSyncExternalStore(watchAddress, () => location.search);
  const set = (value: string) => {
    const next = new URLSearchParams(location.search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    replaceAddress(location.pathname + (next.size > 0 ? `?${next}` : '') + location.hash);
  };
  return [new URLSearchParams(search).get(name) ?? '', set];
}

export function navigate(to: string): void {
  const go = () => {
    history.pushState(newEntry(), '', to);
    dispatchEvent(new Event(MOVED));
    scrollTo(0, 0);
  };
  // Who stays where they are loses nothing.
  if (to === location.pathname + location.search) go();
  else leave(go);
}

guardHistory();
keepScrolling();

/** The same page at another address: nothing to go back to. */
export function replaceAddress(to: string): void {
  history.replaceState(history.state, '', to);
  dispatchEvent(new Event(MOVED));
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

function watchHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function watchAddress(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
}
