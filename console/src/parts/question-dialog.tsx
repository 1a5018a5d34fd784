import { type ReactNode, type RefObject, useRef } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface Asking {
  dialog: RefObject<HTMLDialogElement | null>;
  cancel: RefObject<HTMLButtonElement | null>;
  open: () => void;
  close: () => void;
}

/** Opens and shuts a question that something is done by. */
export function useAsking(): Asking {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const open = () => {
    dialog.current?.showModal();
    // Enter, pressed once too often, does no harm.
    cancel.current?.focus();
  };
  return { dialog, cancel, open, close: () => dialog.current?.close() };
}

interface QuestionDialogProps {
  asking: Asking;
  title: string;
  /** On the button that confirms. */
  action: string;
  /** Of that button: red, unless nothing is lost by it. */
  look?: ButtonLook | undefined;
  /** On the button that changes nothing, where "Cancel" could be taken for the other. */
  dismiss?: string | undefined;
  isBusy: boolean;
  error?: unknown;
  onConfirm: () => Promise<unknown>;
  onClose?: () => void;
  /** After the two answers: another way. */
  others?: ReactNode;
  /** What follows from it, and what can be chosen besides. */
  children: ReactNode;
}

/** A question with two answers, which the keyboard can give. */
export function QuestionDialog({
  asking,
  look = 'danger',
  dismiss = 'Cancel',
  children,
  ...rest
}: QuestionDialogProps) {
  const { dialog, cancel } = asking;
  return (
    <Dialog dialog={dialog} title={rest.title} {...(rest.onClose && { onClose: rest.onClose })}>
      {children}
      <ErrorNotice error={rest.error} />
      <div className="actions">
        <Button look={look} isBusy={rest.isBusy} onClick={() => void rest.onConfirm()}>
          {rest.action}
        </Button>
        <Button ref={cancel} onClick={() => dialog.current?.close()}>
          {dismiss}
        </Button>
        {rest.others}
      </div>
    </Dialog>
  );
}
