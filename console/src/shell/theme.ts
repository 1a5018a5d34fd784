import { useSyncExternalStore } from 'react';
import { keptByBrowser } from '../lib/kept-texts.ts';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const KEY = 'lilac.theme';
const CHANGED = 'lilac:theme-changed';

/** Before anything is drawn: the colours follow an attribute of the document. */
export function applyTheme(): void {
  const theme = storedTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  colourBrowser(theme);
}

/** A phone's browser paints its own bar in the page's colour: of the theme that is chosen, not of the system's. */
function colourBrowser(theme: Theme): void {
  for (const scheme of ['light', 'dark'] as const) {
    const meta = document.querySelector<HTMLMetaElement>(`meta[data-scheme=${scheme}]`);
    if (meta)
      meta.media = theme === 'system' ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? 'all' : 'not all';
  }
}

export function chooseTheme(theme: Theme): void {
  keptByBrowser.setItem(KEY, theme);
  applyTheme();
  dispatchEvent(new Event(CHANGED));
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, storedTheme);
}

export function storedTheme(): Theme {
  const stored = keptByBrowser.getItem(KEY) as Theme | null;
  return stored && themes.includes(stored) ? stored : 'system';
}

/** Chosen here, or in another tab. */
export function watchTheme(listener: () => void): () => void {
  for (const event of [CHANGED, 'storage']) addEventListener(event, listener);
  return () => {
    for (const event of [CHANGED, 'storage']) removeEventListener(event, listener);
  };
}
