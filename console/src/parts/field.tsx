import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useRef,
} from 'react';
import { tooLong } from '../lib/too-long.ts';

interface Labelled {
  label: string;
  /** The title above says the same: the label is only read out. */
  isTitled?: boolean;
  name: string;
  hint?: ReactNode;
}

interface Bounded {
  /**
   * More than this is refused in words, where `maxLength` would cut it: for what means something else when it is cut.
   */
  longest?: number;
}

interface Accompanied {
  /** A button that is about what it holds. */
  beside?: ReactNode;
}

/** A labelled input; the hint is read out with it. */
export function Field({
  label,
  isTitled,
  hint,
  longest,
  beside,
  ...input
}: Labelled & Bounded & Accompanied & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const count = () => {
    if (longest !== undefined) field.current?.setCustomValidity(tooLong(field.current.value, longest));
  };
  // What it holds may be changed by others than who types.
  useEffect(count);
  return (
    <div className="field">
      <Label id={id} isTitled={isTitled}>
        {label}
      </Label>
      <div className="field-box">
        <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...input} ref={field} onInput={count} />
        {beside}
      </div>
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  );
}

export function SelectField({ label, isTitled, hint, ...select }: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div className="field">
      <Label id={id} isTitled={isTitled}>
        {label}
      </Label>
      <select id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...select} />
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  );
}

export function TextField({ label, isTitled, hint, ...area }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div className="field">
      <Label id={id} isTitled={isTitled}>
        {label}
      </Label>
      <textarea id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...area} />
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  );
}

function Label({ id, isTitled, children }: { id: string; isTitled: boolean | undefined; children: string }) {
  return (
    <label htmlFor={id} className={isTitled ? 'visually-hidden' : undefined}>
      {children}
    </label>
  );
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <p id={id} className="hint">
      {children}
    </p>
  );
}
