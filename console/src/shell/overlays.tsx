import { Suspense, useEffect } from 'react';
import { lazyPage } from '../lib/lazy-page.tsx';
import { overlayOfKey } from './overlay-key.ts';
import { type Overlay, showOverlay, useOverlay } from './overlay.ts';

const overlays: Record<Overlay, ReturnType<typeof lazyPage>> = {
  palette: lazyPage(async () => (await import('./palette/palette.tsx')).Palette),
  shortcuts: lazyPage(async () => (await import('./shortcuts-help.tsx')).ShortcutsHelp),
};

/** What opens over every page by a key: the search, and the list of keys. */
export function Overlays() {
  const shown = useOverlay();
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const overlay = overlayOfKey({ ...keysOf(event), isTyping: isText(event.target) });
      if (!overlay || event.defaultPrevented) return;
      event.preventDefault();
      // A question that waits for its answer stays on top.
      if (!document.querySelector('dialog[open]')) showOverlay(overlay);
    };
    addEventListener('keydown', open);
    return () => {
      removeEventListener('keydown', open);
      showOverlay(null);
    };
  }, []);
  if (!shown) return null;
  const Shown = overlays[shown];
  return (
    <Suspense>
      <Shown />
    </Suspense>
  );
}

function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey, shiftKey };
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
