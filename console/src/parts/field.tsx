import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface Labelled {
  label: string;
  /** The title above says the same: the label is only read out. */
  isTitled?: boolean;
  name: string;
  hint?: ReactNode;
}

/** A labelled input; the hint is read out with it. */
export function Field({ label, isTitled, hint, ...input }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="field">
      <Label id={id} isTitled={isTitled}>
        {label}
      </Label>
      <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
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
