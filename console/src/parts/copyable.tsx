import { useId, useRef, useState } from 'react';
import { Button } from './button.tsx';

interface CopyableProps {
  label: string;
  value: string;
}

/** A value to take away, with a button that copies it. */
export function Copyable({ label, value }: CopyableProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    input.current?.select();
    setCopied(await copyText(value));
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="copyable">
        <input id={id} ref={input} className="mono" readOnly value={value} onFocus={(event) => event.target.select()} />
        <Button onClick={() => void copy()} aria-label={`Copy: ${label}`}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </div>
  );
}

/** The clipboard is open to secure addresses only; elsewhere the selected text is copied the old way. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
