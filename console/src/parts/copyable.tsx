import './copyable.css';
import { type ClipboardEvent, useId, useRef, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import { inGroups, withoutGroups } from '../lib/in-groups.ts';
import { Button } from './button.tsx';

interface CopyableProps {
  label: string;
  value: string;
  /** To copy it is what the card is for. */
  isMain?: boolean;
  /** Shown in groups of four for whoever types it elsewhere, and copied without their gaps. */
  isGrouped?: boolean;
  onCopied?: () => void;
}

/** A value to take away, with a button that copies it. */
export function Copyable({ label, value, isMain = false, isGrouped = false, onCopied }: CopyableProps) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const isDone = await copyText(value);
    setCopied(isDone);
    if (isDone) onCopied?.();
    input.current?.select();
  };
  const copyMarked = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    if (isGrouped) copyUngrouped(event);
    onCopied?.();
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
          value={isGrouped ? inGroups(value) : value}
          onCopy={copyMarked}
          onFocus={(event) => event.target.select()}
        />
        <Button
          look={isMain ? 'primary' : 'plain'}
          onClick={() => void copy()}
          aria-label={`${isCopied ? 'Copied' : 'Copy'}: ${label}`}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </div>
  );
}

function copyUngrouped(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  event.clipboardData.setData('text/plain', withoutGroups(value.slice(selectionStart, selectionEnd)));
  event.preventDefault();
}
