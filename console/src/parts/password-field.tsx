import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'beside'>;

/**
 * Hidden until whoever types it wants to see it, and again before it is sent: browsers offer what was sent as plain
 * text to whoever comes next.
 */
export function PasswordField({ label, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const hide = () => flushSync(() => setShown(false));
    button.current?.form?.addEventListener('submit', hide, { capture: true, signal: leaving.signal });
    return () => leaving.abort();
  }, []);
  const turn = (
    // Pressed by a mouse it leaves the caret where it is.
    <Button ref={button} onMouseDown={(event) => event.preventDefault()} onClick={() => setShown(!isShown)}>
      {isShown ? 'Hide' : 'Show'} <span className="visually-hidden">{label.toLowerCase()}</span>
    </Button>
  );
  return (
    <Field
      label={label}
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      type={isShown ? 'text' : 'password'}
      beside={turn}
    />
  );
}
