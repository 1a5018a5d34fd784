import { useMedia } from '../lib/use-media.ts';

/** What the system prefers; a canvas does not follow it by itself. */
export function useIsDark(): boolean {
  return useMedia('(prefers-color-scheme: dark)');
}
