import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'lilac.theme';
const CHANGED = 'lilac:theme-changed';

/** Before anything is drawn: the colours follow an attribute of the document. */
export function applyTheme(): void {
  const theme = storedTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
  dispatchEvent(new Event(CHANGED));
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, storedTheme);
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY) as Theme | null;
  return stored && themes.includes(stored) ? stored : 'system';
}

function watchTheme(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  return () => removeEventListener(CHANGED, listener);
}
