import { type ReactNode, useId, useRef } from 'react';
import { useAction } from '../lib/use-action.ts';
import { Button, type ButtonLook } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmButtonProps {
  /** On the button, and again on the one that confirms. */
  action: string;
  /** Tells equal buttons of a list apart for those who do not see the row. */
  subject: string;
  question: string;
  consequence: string;
  look?: ButtonLook;
  /** Of the button that confirms: red, unless nothing is lost by it. */
  confirmLook?: ButtonLook;
  onConfirm: () => Promise<unknown>;
  /** What can be chosen besides. */
  children?: ReactNode;
}

/** For what cannot be undone: asks first, in a dialog that the keyboard can answer. */
export function ConfirmButton({
  action,
  subject,
  question,
  consequence,
  look = 'quiet',
  confirmLook = 'danger',
  onConfirm,
  children,
}: ConfirmButtonProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { run, isBusy, error } = useAction(onConfirm);
  const confirm = async () => {
    if (await run()) dialog.current?.close();
  };
  return (
    <>
      <Button look={look} onClick={() => dialog.current?.showModal()} aria-label={`${action} ${subject}`}>
        {action}
      </Button>
      <dialog ref={dialog} aria-labelledby={id} className="dialog">
        <h2 id={id}>{question}</h2>
        <p className="about">{consequence}</p>
        {children}
        <ErrorNotice error={error} />
        <div className="actions">
          <Button look={confirmLook} isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        </div>
      </dialog>
    </>
  );
}
