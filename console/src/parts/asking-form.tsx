import { type ComponentProps, useState } from 'react';
import { useAction } from '../lib/use-action.ts';
import { showMarks } from '../lib/visible-name.ts';
import type { ButtonLook } from './button.tsx';
import { Form, type FormValues } from './form.tsx';
import { QuestionDialog, useAsking } from './question-dialog.tsx';

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
  const asking = useAsking();
  const [question, setQuestion] = useState<Question | null>(null);
  const [held, setHeld] = useState<FormValues | null>(null);
  const { run, isBusy, error, forget } = useAction(onSubmit);
  const submit = async (values: FormValues) => {
    const asked = questionOf(values);
    setHeld(asked && values);
    if (!asked) return await onSubmit(values);
    setQuestion(asked);
    asking.open();
    return undefined;
  };
  const confirm = async () => {
    if (!held || !(await run(held))) return;
    setHeld(null);
    asking.close();
  };
  return (
    <>
      {/* What was asked about is not done yet. */}
      <Form {...form} onSubmit={submit} isSending={isBusy} {...(done && held === null && { done })} />
      <QuestionDialog
        asking={asking}
        title={question?.title ?? ''}
        action={form.submit}
        look={question?.look}
        isBusy={isBusy}
        error={error}
        onConfirm={confirm}
        onClose={forget}
      >
        <p className="about">{showMarks(question?.consequence ?? '')}</p>
      </QuestionDialog>
    </>
  );
}
