import { type ReactNode, useRef } from 'react';
import { useAction } from '../lib/use-action.ts';
import { showMarks } from '../lib/visible-name.ts';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
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
  /** Once it is done and the question is gone: for what takes the button away at once. */
  onConfirmed?: () => void;
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
  onConfirmed,
  children,
}: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { run, isBusy, error, forget } = useAction(onConfirm);
  const cancel = useRef<HTMLButtonElement>(null);
  const open = () => {
    dialog.current?.showModal();
    // Enter, pressed once too often, does no harm.
    cancel.current?.focus();
  };
  const confirm = async () => {
    if (!(await run())) return;
    dialog.current?.close();
    onConfirmed?.();
  };
  return (
    <>
      <Button look={look} onClick={open} aria-label={`${action} ${subject}`}>
        {action}
      </Button>
      <Dialog dialog={dialog} title={question} onClose={forget}>
        <p className="about">{showMarks(consequence)}</p>
        {children}
        <ErrorNotice error={error} />
        <div className="actions">
          <Button look={confirmLook} isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
          <Button ref={cancel} onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
