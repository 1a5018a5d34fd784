import './copyable.css';
import { useId, useRef, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import { Button } from './button.tsx';

interface CopyableProps {
  label: string;
  value: string;
  /** To copy it is what the card is for. */
  isMain?: boolean;
}

/** A value to take away, with a button that copies it. */
export function Copyable({ label, value, isMain = false }: CopyableProps) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(value));
    input.current?.select();
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="copyable">
        <textarea
          id={id}
          ref={input}
          className="mono copyable-value"
          rows={1}
          readOnly
          spellCheck={false}
          value={value}
          onFocus={(event) => event.target.select()}
        />
        <Button look={isMain ? 'primary' : 'plain'} onClick={() => void copy()} aria-label={`Copy: ${label}`}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </div>
  );
}
