import { type ReactNode, type RefObject, useId } from 'react';

interface DialogProps {
  /** Opened with `showModal()`, shut with `close()`; Escape and the keyboard's order are the browser's. */
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  isWide?: boolean;
  onClose?: () => void;
  children: ReactNode;
}

export function Dialog({ dialog, title, isWide = false, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <dialog ref={dialog} aria-labelledby={id} className={isWide ? 'dialog dialog-wide' : 'dialog'} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
