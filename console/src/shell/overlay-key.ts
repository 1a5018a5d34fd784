import type { Overlay } from './overlay.ts';

export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  /** Whether it goes into a text that somebody writes. */
  isTyping: boolean;
}

/** Ctrl-K or ⌘-K wherever one is; a question mark only where it is no part of a text. */
export function overlayOfKey({ key, ctrlKey, metaKey, altKey, shiftKey, isTyping }: PressedKey): Overlay | null {
  if (altKey) return null;
  if (key.toLowerCase() === 'k' && ctrlKey !== metaKey && !shiftKey) return 'palette';
  if (key === '?' && !ctrlKey && !metaKey && !isTyping) return 'shortcuts';
  return null;
}
