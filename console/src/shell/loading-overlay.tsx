import { useLayoutEffect, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type Overlay, showOverlay } from './overlay.ts';

interface LoadingOverlayProps {
  overlay: Overlay;
  typed: string;
  onTyped: (typed: string) => void;
  /** Given once it could not be fetched. */
  onRetry: (() => void) | null;
}

const titles: Record<Overlay, string> = { palette: 'Search', shortcuts: 'Keyboard shortcuts' };

/** Stands in until the script is there, and takes what is typed meanwhile: fast hands lose nothing. */
export function LoadingOverlay({ overlay, typed, onTyped, onRetry }: LoadingOverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog dialog={dialog} title={titles[overlay]} onClose={leave} onCancel={leave}>
      {overlay === 'palette' && (
        <input
          type="text"
          aria-label="Search"
          autoComplete="off"
          maxLength={200}
          value={typed}
          onChange={(event) => onTyped(event.target.value)}
        />
      )}
      {onRetry && (
        <>
          <p className="notice notice-error" role="alert">
            This could not be loaded. Check the connection and try again. If the platform was upgraded meanwhile, save
            your work and reload the page.
          </p>
          <div className="actions">
            <Button onClick={onRetry}>Try again</Button>
            <Button onClick={() => dialog.current?.close()}>Close</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function leave(): void {
  showOverlay(null);
}
