import { type ComponentProps, useRef, useState } from 'react';
import { useAction } from '../lib/use-action.ts';
import { showMarks } from '../lib/visible-name.ts';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Form, type FormValues } from './form.tsx';

export interface Question {
  title: string;
  consequence: string;
  /** Of the button that confirms: red, unless nothing is lost by it. */
  look?: ButtonLook;
}

interface AskingFormProps extends ComponentProps<typeof Form> {
  /** What to ask before it is done; null where that can be taken back. */
  questionOf: (values: FormValues) => Question | null;
}

/** A form of which some answers cannot be taken back, or take something away: of those it asks first. */
export function AskingForm({ questionOf, onSubmit, done, ...form }: AskingFormProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [held, setHeld] = useState<FormValues | null>(null);
  const { run, isBusy, error, forget } = useAction(onSubmit);
  const submit = async (values: FormValues) => {
    const asked = questionOf(values);
    setHeld(asked && values);
    if (!asked) return await onSubmit(values);
    setQuestion(asked);
    dialog.current?.showModal();
    // Enter, pressed once too often, does no harm.
    cancel.current?.focus();
    return undefined;
  };
  const confirm = async () => {
    if (!held || !(await run(held))) return;
    setHeld(null);
    dialog.current?.close();
  };
  return (
    <>
      {/* What was asked about is not done yet. */}
      <Form {...form} onSubmit={submit} {...(done && held === null && { done })} />
      <Dialog dialog={dialog} title={question?.title ?? ''} onClose={forget}>
        <p className="about">{showMarks(question?.consequence ?? '')}</p>
        <ErrorNotice error={error} />
        <div className="actions">
          <Button look={question?.look ?? 'danger'} isBusy={isBusy} onClick={() => void confirm()}>
            {form.submit}
          </Button>
          <Button ref={cancel} onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
