import {
  type FormEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { type FormValues, isAsAtFirst } from '../lib/form-values.ts';
import { useAction } from '../lib/use-action.ts';
import { Button, type ButtonLook } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { LeaveDialog, type LeaveQuestion } from './leave-dialog.tsx';
import { showMarks } from '../lib/visible-name.ts';
import { whileSent } from './while-sent.ts';

export type { FormValues };

interface FormProps {
  label: string;
  submit: string;
  submitLook?: ButtonLook;
  /** Of the button that submits. */
  submitRef?: Ref<HTMLButtonElement>;
  onSubmit: (values: FormValues) => Promise<unknown>;
  /** Said after a success, where nothing else on the page shows it. */
  done?: string;
  /** What would be lost by whoever leaves now, who is asked first; false where nothing would. */
  unsaved?: string | LeaveQuestion | false;
  /** Asked of whoever leaves while any of the fields is not as it was at first: for what is made, and not yet there. */
  draft?: LeaveQuestion;
  /** Asked of whoever leaves while it is sent, where something is lost by that which no other page shows. */
  sending?: LeaveQuestion;
  /** It is sent by something else than its own button. */
  isSending?: boolean;
  /** Empties the fields after a success. */
  isResetting?: boolean;
  /** As wide as what it stands in: for fields that stand beside one another. */
  isWide?: boolean;
  /** Further buttons, beside the one that submits. */
  actions?: ReactNode;
  /** Leads back, but not while it is sent: what comes of it would find nobody there. */
  onCancel?: () => void;
  children?: ReactNode;
}

/** Collects the fields by name, and shows what the platform had to say when it refused them. */
export function Form({
  label,
  submit,
  submitLook = 'primary',
  onSubmit,
  done,
  unsaved,
  draft,
  sending,
  isSending = false,
  isResetting,
  submitRef,
  ...rest
}: FormProps) {
  const action = useAction(onSubmit);
  const isBusy = action.isBusy || isSending;
  const form = useRef<HTMLFormElement>(null);
  useOnDialogClose(form, action.forget);
  const [isTouched, look] = useTouched(form);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const filled = event.currentTarget;
    if (hasBlank(filled)) return;
    if (!(await action.run(valuesOf(filled))) || !isResetting) return;
    filled.reset();
    look();
  };
  const input = () => {
    look();
    // What was said is of what the fields held.
    if (!isBusy) action.forget();
  };
  const kept = typeof unsaved === 'string' ? { what: unsaved } : unsaved || (isTouched && draft);
  const question = isBusy ? (sending ?? (kept && whileSent)) : kept;
  return (
    <form
      ref={form}
      className={rest.isWide ? 'form form-wide' : 'form'}
      aria-label={showMarks(label)}
      method="post"
      onSubmit={(event) => void send(event)}
      onInput={input}
      onInvalidCapture={unfold}
    >
      {rest.children}
      {question && <LeaveDialog {...question} />}
      <ErrorNotice error={action.error} />
      <div className="actions">
        <Button ref={submitRef} type="submit" look={submitLook} isBusy={isBusy}>
          {showMarks(submit)}
        </Button>
        {rest.actions}
        {rest.onCancel && (
          <Button disabled={isBusy} onClick={rest.onCancel}>
            Cancel
          </Button>
        )}
        {done && (
          <span className="done" role="status">
            {action.isDone && done}
          </span>
        )}
      </div>
    </form>
  );
}

/** Who opens the dialog anew is not told what became of it the last time. */
function useOnDialogClose(form: RefObject<HTMLFormElement | null>, work: () => void): void {
  const onClose = useEffectEvent(work);
  useEffect(() => {
    const leaving = new AbortController();
    form.current?.closest('dialog')?.addEventListener('close', () => onClose(), leaving);
    return () => leaving.abort();
  }, [form]);
}

/** Whether anything in the fields is not as it was at first, once it is looked at again. */
function useTouched(form: RefObject<HTMLFormElement | null>): [isTouched: boolean, look: () => void] {
  const first = useRef<FormValues>({});
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    if (form.current) first.current = valuesOf(form.current);
  }, [form]);
  return [isTouched, () => form.current && setTouched(!isAsAtFirst(first.current, valuesOf(form.current)))];
}

/** What is folded away cannot be shown to whoever has to mend it: the browser would do nothing, and say nothing. */
function unfold({ target }: FormEvent): void {
  let fold = (target as Element).closest('details');
  for (; fold; fold = fold.parentElement?.closest('details') ?? null) fold.open = true;
}

/** Spaces alone are no name to the platform, though they are something to the browser, which is made to say so. */
function hasBlank(form: HTMLFormElement): boolean {
  const blank = [...form.querySelectorAll<HTMLInputElement>('input[required]')].find(
    ({ type, value }) => type === 'text' && value.trim() === '',
  );
  if (!blank) return false;
  blank.setCustomValidity('Spaces alone are not enough here.');
  blank.addEventListener('input', () => blank.setCustomValidity(''), { once: true });
  blank.reportValidity();
  return true;
}

function valuesOf(form: HTMLFormElement): FormValues {
  const values: FormValues = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value;
  return values;
}
