import { type ReactNode, type RefObject, type SyntheticEvent, useId } from 'react';
import { showMarks } from '../lib/visible-name.ts';

interface DialogProps {
  /** Opened with `showModal()`, shut with `close()`; Escape and the keyboard's order are the browser's. */
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  isWide?: boolean;
  /** Not when a dialog within it closes, which React tells the outer one too. */
  onClose?: () => void;
  /** Escape, before the browser shuts it: `onClose` comes a moment later, to a dialog that may be gone by then. */
  onCancel?: (event: SyntheticEvent) => void;
  children: ReactNode;
}

export function Dialog({ dialog, title, isWide = false, onClose, onCancel, children }: DialogProps) {
  const id = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      onClose={(event) => event.target === event.currentTarget && onClose?.()}
      onCancel={(event) => event.target === event.currentTarget && onCancel?.(event)}
    >
      <h2 id={id}>{showMarks(title)}</h2>
      {children}
    </dialog>
  );
}
