import './variables-editor.css';
import { type ClipboardEvent, useState } from 'react';
import { Button } from '../button.tsx';
import { describePaste, newRow, pasteInto, problemsOf, sayOverruled, type VariableRow } from './rules.ts';
import { VariableFields } from './fields.tsx';

interface VariableRowsProps {
  rows: readonly VariableRow[];
  onChange: (rows: VariableRow[]) => void;
  isReadOnly?: boolean;
}

/** Names and values, hidden until they are shown. A whole `.env` pasted into any field becomes rows. */
export function VariableRows({ rows, onChange, isReadOnly = false }: VariableRowsProps) {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const [news, setNews] = useState('');
  const [fresh, setFresh] = useState<number | null>(null);
  const problems = problemsOf(rows);
  const update = (key: number, change: Partial<VariableRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const paste = (event: ClipboardEvent, key: number, field: 'name' | 'value') => {
    const pasted = pasteInto(rows, { key, field, text: event.clipboardData.getData('text/plain') });
    if (!pasted) return;
    event.preventDefault();
    onChange(pasted.rows);
    setNews(describePaste(pasted));
  };
  const add = () => {
    const row = newRow();
    setFresh(row.key);
    onChange([...rows, row]);
  };
  const toggle = (key: number) =>
    setShown(new Set(shown.has(key) ? [...shown].filter((each) => each !== key) : [...shown, key]));
  return (
    <div className="variables">
      <ul className="variable-rows" aria-label="Variables">
        {rows.map((row, index) => (
          <VariableFields
            key={row.key}
            {...{ row, isReadOnly, number: index + 1, problem: problems.get(row.key) ?? null }}
            isShown={shown.has(row.key)}
            isFresh={fresh === row.key}
            onToggle={() => toggle(row.key)}
            onChange={(change) => update(row.key, change)}
            onPaste={(event, field) => paste(event, row.key, field)}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
      </ul>
      {!isReadOnly && (
        <div className="actions">
          <Button onClick={add}>Add a variable</Button>
          <span className="hint">
            {rows.length === 0
              ? 'And paste a whole .env file into its name, if you have one.'
              : 'Or paste a whole .env file into a name.'}
          </span>
        </div>
      )}
      <p className="hint" role="status">
        {[news, sayOverruled(rows)].filter(Boolean).join(' ')}
      </p>
    </div>
  );
}
