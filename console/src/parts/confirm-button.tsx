import type { ReactNode } from 'react';
import { useAction } from '../lib/use-action.ts';
import { showMarks } from '../lib/visible-name.ts';
import { Button, type ButtonLook } from './button.tsx';
import { QuestionDialog, useAsking } from './question-dialog.tsx';

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
  /** On the button that changes nothing, where "Cancel" could be taken for the other. */
  dismiss?: string;
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
  confirmLook,
  dismiss,
  onConfirm,
  onConfirmed,
  children,
}: ConfirmButtonProps) {
  const asking = useAsking();
  const { run, isBusy, error, forget } = useAction(onConfirm);
  const confirm = async () => {
    if (!(await run())) return;
    asking.close();
    onConfirmed?.();
  };
  return (
    <>
      <Button look={look} onClick={asking.open} aria-label={showMarks(`${action} ${subject}`.trim())}>
        {action}
      </Button>
      <QuestionDialog
        asking={asking}
        title={question}
        action={action}
        look={confirmLook}
        dismiss={dismiss}
        isBusy={isBusy}
        error={error}
        onConfirm={confirm}
        onClose={forget}
      >
        <p className="about">{showMarks(consequence)}</p>
        {children}
      </QuestionDialog>
    </>
  );
}
