import { describe, expect, it } from 'vitest';
import { overlayOfKey, type PressedKey } from './overlay-key.ts';

const pressed = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isTyping: false,
  ...more,
});

describe('overlayOfKey', () => {
  it('opens the search by Ctrl-K and ⌘-K, also while somebody types', () => {
    expect(overlayOfKey(pressed('k', { ctrlKey: true }))).toBe('palette');
    expect(overlayOfKey(pressed('K', { metaKey: true, isTyping: true }))).toBe('palette');
  });

  it('leaves other combinations to the browser', () => {
    expect(overlayOfKey(pressed('k'))).toBeNull();
    expect(overlayOfKey(pressed('k', { ctrlKey: true, shiftKey: true }))).toBeNull();
    expect(overlayOfKey(pressed('k', { ctrlKey: true, altKey: true }))).toBeNull();
  });

  it('shows the shortcuts by a question mark, and lets it be typed into a text', () => {
    expect(overlayOfKey(pressed('?', { shiftKey: true }))).toBe('shortcuts');
    expect(overlayOfKey(pressed('?', { shiftKey: true, isTyping: true }))).toBeNull();
  });
});
