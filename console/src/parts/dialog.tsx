import { type ReactNode, type RefObject, useId } from 'react';

interface DialogProps {
  /** Opened with `showModal()`, shut with `close()`; Escape and the keyboard's order are the browser's. */
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  isWide?: boolean;
  /** Not when a dialog within it closes, which React tells the outer one too. */
  onClose?: () => void;
  children: ReactNode;
}

export function Dialog({ dialog, title, isWide = false, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      onClose={(event) => event.target === event.currentTarget && onClose?.()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
