import type { ComponentType, ReactNode } from 'react';
import { fetchStylesAgain } from '../lib/fetch-styles-again.ts';
import { reloadOnce } from '../lib/reload-once.ts';
import { useRead } from '../lib/use-read.ts';
import { FailedPage } from './failed-page.tsx';
import { Waiting } from './loading.tsx';

/**
 * A page whose script is fetched when it is first shown, again and again until it comes. Where that cannot help, since
 * the platform was upgraded and has other scripts now, the window is loaded anew, once.
 */
export function lazyPage(load: () => Promise<ComponentType>): () => ReactNode {
  const kept: { page: ComponentType | null; failures: number } = { page: null, failures: 0 };
  const fetchPage = async (): Promise<ComponentType> => {
    try {
      await fetchStylesAgain();
      return (kept.page ??= await load());
    } catch (error) {
      await reloadOnce(++kept.failures);
      throw error;
    }
  };
  return function LazyPage() {
    const { data, error } = useRead(fetchPage);
    const Page = kept.page ?? data;
    if (Page) return <Page />;
    return error === undefined ? <Waiting /> : <FailedPage isRetried />;
  };
}
