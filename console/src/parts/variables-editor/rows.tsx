import './variables-editor.css';
import { type Dispatch, type SetStateAction, useMemo, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { PasteArea } from './paste-area.tsx';
import {
  describePaste,
  excessOf,
  fileOf,
  newRow,
  type PastedFile,
  pasteInto,
  problemsOf,
  sayOverruled,
  type VariableRow,
  variablesOf,
} from './rules.ts';
import { type RowActions, VariableFields } from './fields.tsx';

interface VariableRowsProps {
  rows: readonly VariableRow[];
  /** The same one for as long as they are shown, or every letter draws all rows anew. */
  onChange: Dispatch<SetStateAction<VariableRow[]>>;
  isReadOnly?: boolean;
  /** Another one with every saving: what was pasted before is no news any more. */
  round?: number;
}

/**
 * Names and values, hidden until they are shown. A whole `.env` becomes rows, by its button or pasted into any field.
 */
export function VariableRows({ rows, onChange, isReadOnly = false, round = 0 }: VariableRowsProps) {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const [news, setNews] = useState({ text: '', round });
  const [fresh, setFresh] = useState<number | null>(null);
  const [isPasting, setPasting] = useState(false);
  const pasteButton = useRef<HTMLButtonElement>(null);
  const problems = problemsOf(rows);
  const excess = excessOf(variablesOf(rows));
  const actions = useMemo(
    (): RowActions => ({
      toggle: (key) =>
        setShown((before) => new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key])),
      change: (key, change) =>
        onChange((before) => before.map((row) => (row.key === key ? { ...row, ...change } : row))),
      paste: (event, key, field) => {
        const file = fileOf({ field, text: event.clipboardData.getData('text/plain') });
        if (!file) return;
        event.preventDefault();
        onChange((before) => pasteInto(before, { key, variables: file.variables }));
        setNews({ text: describePaste(file), round });
      },
      remove: (key) => onChange((before) => before.filter((row) => row.key !== key)),
    }),
    [onChange, round],
  );
  const add = () => {
    const row = newRow();
    setFresh(row.key);
    onChange((before) => [...before, row]);
  };
  const closePaste = () => {
    setPasting(false);
    pasteButton.current?.focus();
  };
  const take = (file: PastedFile) => {
    onChange((before) => pasteInto(before, { key: before.at(-1)?.key ?? 0, variables: file.variables }));
    setNews({ text: describePaste(file), round });
    closePaste();
  };
  return (
    <div className="variables">
      <ul className="variable-rows" aria-label="Variables">
        {rows.map((row, index) => (
          <VariableFields
            key={row.key}
            {...{ row, actions, isReadOnly, number: index + 1, problem: problems.get(row.key) ?? null }}
            isShown={shown.has(row.key)}
            isFresh={fresh === row.key}
          />
        ))}
      </ul>
      {!isReadOnly && (
        <div className="actions">
          <Button onClick={add}>Add a variable</Button>
          <Button ref={pasteButton} aria-expanded={isPasting} onClick={() => setPasting(true)}>
            Paste .env
          </Button>
        </div>
      )}
      {isPasting && <PasteArea onTaken={take} onClose={closePaste} />}
      {excess && (
        <p className="notice notice-error" role="alert">
          {excess}
        </p>
      )}
      <p className="hint" role="status">
        {[news.round === round && news.text, sayOverruled(rows)].filter(Boolean).join(' ')}
      </p>
    </div>
  );
}
