import {
  type ClipboardEvent,
  type FocusEvent,
  type SyntheticEvent,
  type TextareaHTMLAttributes,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { withLineEndsOf } from '../../lib/line-ends.ts';

/** As many for every value: none tells how long it is. */
const DOTS = '••••••••';

interface ValueFieldProps {
  label: string;
  value: string;
  isMasked: boolean;
  plainText: TextareaHTMLAttributes<HTMLTextAreaElement>;
  onChange: (value: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}

/** Not an input: a value may have several lines. While it is masked it behaves as a password does. */
export function ValueField({ label, value, isMasked, plainText, onChange, onPaste }: ValueFieldProps) {
  const [isEdited, setEdited] = useState(false);
  // A masked value is there for whoever edits it. A screen reader that walks through the page is not told any.
  const isAbsent = isMasked && value !== '' && (!isEdited || plainText.readOnly === true);
  const take = ({ target }: FocusEvent<HTMLTextAreaElement>) => {
    flushSync(() => setEdited(true));
    if (isAbsent) target.select();
  };
  return (
    <textarea
      className={isMasked ? 'mono masked' : 'mono'}
      aria-label={label}
      aria-description={isAbsent ? 'Hidden' : undefined}
      placeholder={isAbsent ? DOTS : 'value'}
      rows={1}
      value={isAbsent ? '' : value}
      onFocus={take}
      onBlur={() => setEdited(false)}
      onChange={(event) => onChange(withLineEndsOf(value, event.target.value))}
      onPaste={onPaste}
      {...(isMasked && { onCopy: refuse, onCut: refuse, onDragStart: refuse })}
      {...plainText}
    />
  );
}

/** What is drawn as dots would be copied as dots, and be saved as the secret where it is pasted. */
function refuse(event: SyntheticEvent): void {
  event.preventDefault();
}
