import { type ClipboardEvent, memo, useId } from 'react';
import { Button } from '../button.tsx';
import type { VariableRow } from './rules.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { ValueField } from './value-field.tsx';

/** What can be done to a row, by its key. */
export interface RowActions {
  toggle: (key: number) => void;
  change: (key: number, change: Partial<VariableRow>) => void;
  paste: (event: ClipboardEvent, key: number, field: 'name' | 'value') => void;
  remove: (key: number) => void;
}

interface VariableFieldsProps {
  row: VariableRow;
  /** What it is called while it has no name. */
  number: number;
  problem: string | null;
  isShown: boolean;
  isReadOnly: boolean;
  /** Just added: the next thing is to type its name. */
  isFresh: boolean;
  actions: RowActions;
}

/** There may be a thousand of them, and a letter changes one. */
export const VariableFields = memo(function VariableFields({ row, number, problem, ...rest }: VariableFieldsProps) {
  const { isShown, isReadOnly, isFresh, actions } = rest;
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
        onChange={(event) => actions.change(row.key, { name: event.target.value.trim() })}
        onPaste={(event) => actions.paste(event, row.key, 'name')}
        {...{ ...plainText, ...marks }}
      />
      <ValueField
        label={`Value of ${shown}`}
        {...{ value: row.value, isMasked: !isShown, plainText }}
        onChange={(value) => actions.change(row.key, { value })}
        onPaste={(event) => actions.paste(event, row.key, 'value')}
      />
      <div className="variable-buttons">
        <Button look="quiet" aria-label={`${turn} the value of ${shown}`} onClick={() => actions.toggle(row.key)}>
          {turn}
        </Button>
        {!isReadOnly && (
          <Button look="quiet" aria-label={`Remove ${shown}`} onClick={() => actions.remove(row.key)}>
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
});
