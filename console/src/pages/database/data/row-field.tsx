import { useId } from 'react';
import { withLineEndsOf } from '../../../lib/line-ends.ts';
import { type Cell, isBinary, isBoolean, isCut, textOf } from '../cells/cell-text.ts';
import { CellView } from '../cells/cell-view.tsx';
import type { Column } from './data-tab.tsx';
import { canBeLeftOut, type FieldDraft } from './row-draft.ts';
import { Name } from '../../../parts/name.tsx';
import { showMarks } from '../../../lib/visible-name.ts';

interface RowFieldProps {
  column: Column;
  original: Cell;
  isNew: boolean;
  field: FieldDraft;
  onChange: (field: FieldDraft) => void;
}

/** A value with what tells NULL, an empty text and the table's own default apart. */
export function RowField({ column, original, isNew, field, onChange }: RowFieldProps) {
  const id = useId();
  const { name, type, nullable } = column;
  const hint = isBinary(type) ? 'Bytes as \\x and hexadecimal digits.' : null;
  if (column.generated) return <FixedField column={column} reason={MADE} value={isNew ? null : original} />;
  if (isCut(original)) return <FixedField column={column} reason={TOO_LONG} value={null} />;
  if (isBoolean(type)) return <BooleanField {...{ column, isNew, field, onChange }} />;
  const hasDefault = isNew && canBeLeftOut(column);
  const canBeNull = nullable || field.state === 'null';
  const isLong = /text|json|xml|blob|bytea|char\(\d{3,}\)/i.test(type) || /[\r\n]/.test(field.text);
  const input = {
    id,
    className: 'mono',
    'aria-describedby': hint ? `${id}-hint` : undefined,
    value: field.state === 'value' ? field.text : '',
    placeholder: placeholderOf(column, field),
    // To type is to mean a value.
    onChange: (event: { target: { value: string } }) =>
      onChange({ state: 'value', text: withLineEndsOf(textOf(original), event.target.value) }),
    spellCheck: false,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        <Name of={name} />{' '}
        <span className="meta">
          <Name of={type} />
        </span>
      </label>
      <div className={canBeNull || hasDefault ? 'row-field row-field-choice' : 'row-field'}>
        {isLong ? <textarea rows={1} {...input} /> : <input autoComplete="off" {...input} />}
        {(canBeNull || hasDefault) && (
          <select
            aria-label={showMarks(`${name} is`)}
            value={field.state}
            onChange={(event) => onChange({ ...field, state: event.target.value as FieldDraft['state'] })}
          >
            <option value="value">a value</option>
            {canBeNull && <option value="null">NULL</option>}
            {hasDefault && <option value="default">the default</option>}
          </select>
        )}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Chosen, with NULL and the default among what there is to choose from. */
function BooleanField({ column, isNew, field, onChange }: Omit<RowFieldProps, 'original'>) {
  const { name, type, nullable } = column;
  const id = useId();
  const choose = (chosen: string) =>
    onChange(
      chosen === 'null' || chosen === 'default' ? { state: chosen, text: '' } : { state: 'value', text: chosen },
    );
  return (
    <div className="field">
      <label htmlFor={id}>
        <Name of={name} />{' '}
        <span className="meta">
          <Name of={type} />
        </span>
      </label>
      <select
        id={id}
        required
        value={field.state === 'value' ? field.text : field.state}
        onChange={(event) => choose(event.target.value)}
      >
        {field.state === 'value' && field.text === '' && <option value="">Choose</option>}
        <option value="true">true</option>
        <option value="false">false</option>
        {(nullable || field.state === 'null') && <option value="null">NULL</option>}
        {isNew && canBeLeftOut(column) && <option value="default">the default</option>}
      </select>
    </div>
  );
}

/** What it comes to where nothing is typed: of a key without a default the table makes one. */
function placeholderOf(column: Column, { state }: FieldDraft): string | undefined {
  if (state === 'null') return 'NULL';
  if (state === 'value') return undefined;
  return column.default ?? (column.primaryKey ? 'made by the table' : 'NULL');
}

const MADE = 'The table makes it itself, and takes no value for it.';
const TOO_LONG = 'It is too long to be edited here, and stays as it is.';

interface FixedFieldProps {
  column: Column;
  /** Why it cannot be typed. */
  reason: string;
  /** Null: not shown. */
  value: Cell;
}

function FixedField({ column: { name, type }, reason, value }: FixedFieldProps) {
  return (
    <div className="field">
      <span className="row-field-name">
        <Name of={name} />{' '}
        <span className="meta">
          <Name of={type} />
        </span>
      </span>
      {value !== null && <CellView value={value} type={type} isWhole={false} />}
      <p className="hint">{reason}</p>
    </div>
  );
}
