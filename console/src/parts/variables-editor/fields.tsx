import { type ClipboardEvent, useId } from 'react';
import { withLineEndsOf } from '../../lib/line-ends.ts';
import { Button } from '../button.tsx';
import type { VariableRow } from './rules.ts';
import { showMarks } from '../../lib/visible-name.ts';

interface VariableFieldsProps {
  row: VariableRow;
  /** What it is called while it has no name. */
  number: number;
  problem: string | null;
  isShown: boolean;
  isReadOnly: boolean;
  /** Just added: the next thing is to type its name. */
  isFresh: boolean;
  onToggle: () => void;
  onChange: (change: Partial<VariableRow>) => void;
  onPaste: (event: ClipboardEvent, field: 'name' | 'value') => void;
  onRemove: () => void;
}

export function VariableFields({ row, number, problem, isShown, isReadOnly, isFresh, ...on }: VariableFieldsProps) {
  const id = useId();
  const turn = isShown ? 'Hide' : 'Show';
  const shown = showMarks(row.name) || `variable ${number}`;
  const marks = { 'aria-invalid': problem !== null, 'aria-describedby': problem === null ? undefined : id };
  const plainText = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, readOnly: isReadOnly } as const;
  return (
    <li className="variable-row">
      <input
        className="mono"
        aria-label={`Name of ${shown}`}
        placeholder="NAME"
        value={row.name}
        autoFocus={isFresh}
        onChange={(event) => on.onChange({ name: event.target.value.trim() })}
        onPaste={(event) => on.onPaste(event, 'name')}
        {...{ ...plainText, ...marks }}
      />
      {/* Not an input: a value may have several lines. */}
      <div className="variable-value">
        <textarea
          className={isShown ? 'mono' : 'mono masked'}
          aria-label={`Value of ${shown}`}
          placeholder="value"
          rows={1}
          value={row.value}
          onChange={(event) => on.onChange({ value: withLineEndsOf(row.value, event.target.value) })}
          onPaste={(event) => on.onPaste(event, 'value')}
          {...plainText}
        />
      </div>
      <div className="variable-buttons">
        <Button look="quiet" aria-label={`${turn} the value of ${shown}`} onClick={on.onToggle}>
          {turn}
        </Button>
        {!isReadOnly && (
          <Button look="quiet" aria-label={`Remove ${shown}`} onClick={on.onRemove}>
            Remove
          </Button>
        )}
      </div>
      {problem && (
        <p id={id} className="variable-problem">
          {problem}
        </p>
      )}
    </li>
  );
}
