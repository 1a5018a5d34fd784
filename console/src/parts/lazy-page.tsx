import { type ComponentType, lazy } from 'react';
import { isAnswering } from './is-answering.ts';

const RELOADED = 'lilac.reloaded-for';

/**
 * A page whose script is fetched when it is first shown. After an upgrade of the platform the names of
 * scripts have changed: the page is loaded anew then, once. While nothing answers, that would leave the
 * person with nothing at all; then the page's boundary says so.
 */
export function lazyPage(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    try {
      const page = { default: await load() };
      sessionStorage.removeItem(RELOADED);
      return page;
    } catch (error) {
      if (sessionStorage.getItem(RELOADED) === location.pathname || !(await isAnswering())) throw error;
      sessionStorage.setItem(RELOADED, location.pathname);
      location.reload();
      return await new Promise<never>(() => {});
    }
  });
}
