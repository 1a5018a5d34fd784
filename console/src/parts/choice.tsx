import './choice.css';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import { Name } from './name.tsx';

interface ChoiceProps {
  label: string;
  /** What is chosen now. */
  value: ReactNode;
  hint?: ReactNode;
  /** Stays open for another choice, until somebody says that it is enough. */
  isStaying?: boolean;
  /** What to choose from; to be called when that is done. */
  children: (onChosen: () => void) => ReactNode;
}

/** One of too many for a plain list: what is chosen, and a button that opens the rest. */
export function Choice({ label, value, hint, isStaying = false, children }: ChoiceProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  // The list goes, and the keyboard's place must not go with it.
  const returnFocus = () => document.querySelector<HTMLElement>(`#${CSS.escape(`${id}-button`)}`)?.focus();
  const close = () => {
    setOpen(false);
    returnFocus();
  };
  const chosen = () => (isStaying ? returnFocus() : close());
  return (
    // While it is open, whichever part of it has the keyboard: not every list takes it.
    <div
      className="choice"
      role="group"
      aria-labelledby={id}
      onKeyDown={(event) => isOpen && isEscape(event) && close()}
    >
      <span id={id} className="choice-label">
        {label}
      </span>
      <div className="choice-box">
        <span className="choice-value">{typeof value === 'string' ? <Name of={value} /> : value}</span>
        <Button id={`${id}-button`} look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Done' : 'Change'} <span className="visually-hidden">{label.toLowerCase()}</span>
        </Button>
      </div>
      {hint && <p className="hint">{hint}</p>}
      {isOpen && <div className="choice-list">{children(chosen)}</div>}
    </div>
  );
}

/** It closes the list, and not the dialog that the list may stand in. */
function isEscape(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape') return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
