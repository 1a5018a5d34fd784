import { type ReactNode, type RefObject, useId } from 'react';
import { askBeforeClosing } from '../lib/leaving.ts';
import { showMarks } from '../lib/visible-name.ts';

interface DialogProps {
  /**
   * Opened with `showModal()`, shut with `close()`, or with `requestClose(dialog)` where a person gives up: that and
   * Escape ask first of what is unsaved in it.
   */
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  isWide?: boolean;
  /** Not when a dialog within it closes, which React tells the outer one too. */
  onClose?: () => void;
  /** Escape, before the browser shuts it: `onClose` comes a moment later, to a dialog that may be gone by then. */
  onCancel?: () => void;
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
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        if (askBeforeClosing(event.currentTarget)) event.preventDefault();
        else onCancel?.();
      }}
    >
      <h2 id={id}>{showMarks(title)}</h2>
      {children}
    </dialog>
  );
}
