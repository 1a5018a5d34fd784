import { type ComponentType, useEffect, useState } from 'react';
import { LoadingOverlay } from './loading-overlay.tsx';
import { overlayOfKey } from './overlay-key.ts';
import { type Overlay, showOverlay, useOverlay } from './overlay.ts';

type OverlayComponent = ComponentType<{ typed: string }>;

const loaders: Record<Overlay, () => Promise<OverlayComponent>> = {
  palette: async () => (await import('./palette/palette.tsx')).Palette,
  shortcuts: async () => (await import('./shortcuts-help.tsx')).ShortcutsHelp,
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
  return shown && <ShownOverlay key={shown} overlay={shown} />;
}

/** Its script is fetched the first time. Failing that, the page below stays as it is: it may hold unsaved work. */
function ShownOverlay({ overlay }: { overlay: Overlay }) {
  useFocusBack();
  const [Loaded, setLoaded] = useState<OverlayComponent | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [typed, setTyped] = useState('');
  const load = () => {
    setFailed(false);
    loaders[overlay]().then(
      (component) => setLoaded(() => component),
      () => setFailed(true),
    );
  };
  // Once for each overlay, by its key.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(load, []);
  if (Loaded) return <Loaded typed={typed} />;
  return <LoadingOverlay overlay={overlay} typed={typed} onTyped={setTyped} onRetry={hasFailed ? load : null} />;
}

/** The browser gives the focus back to where it was, but not past a dialog that stood in and is gone. */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}

function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey, shiftKey };
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
