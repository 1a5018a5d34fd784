import { type FormEvent, useId, useState } from 'react';
import { useLeavingFocus } from '../../../lib/use-leaving-focus.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import type { Column } from './data-tab.tsx';
import {
  describeFilter,
  type FilterOperator,
  MOST_FILTERS,
  needsValue,
  operators,
  type RowsRequest,
  withFilter,
  withoutFilter,
} from './rows-request.ts';
import { showMarks } from '../../../lib/visible-name.ts';

interface FilterBarProps {
  columns: readonly Column[];
  request: RowsRequest;
  /** Why the filter that is in the fields was not taken; null where none was refused. */
  refusal: unknown;
  onChange: (request: RowsRequest) => void;
  onInput: () => void;
}

export function FilterBar({ columns, request, refusal, onChange, onInput }: FilterBarProps) {
  const id = useId();
  const [operator, setOperator] = useState<FilterOperator>('=');
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const [column, value] = [given.get('column') as string, given.get('value') as string | null];
    onChange(withFilter(request, { column, operator, ...(value !== null && { value }) }));
  };
  return (
    <>
      <form className="toolbar" aria-label="Filter" onSubmit={add} onInput={onInput}>
        <select name="column" aria-label="Column">
          {columns.map(({ name }) => (
            <option key={name} value={name}>
              {showMarks(name)}
            </option>
          ))}
        </select>
        <select
          aria-label="Condition"
          value={operator}
          onChange={(event) => setOperator(event.target.value as FilterOperator)}
        >
          {operators.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {needsValue(operator) && (
          <input
            name="value"
            className="grows"
            aria-label="Value"
            placeholder="Value"
            aria-invalid={refusal !== null || undefined}
            aria-describedby={refusal === null ? undefined : id}
          />
        )}
        <Button type="submit" disabled={request.filters.length >= MOST_FILTERS}>
          Filter
        </Button>
      </form>
      {refusal !== null && (
        <div id={id} className="stack">
          <ErrorNotice error={refusal} />
          <p className="hint">The rows are shown without this filter. Change it, or go on without it.</p>
        </div>
      )}
      {request.filters.length > 0 && (
        <ul className="filters" aria-label="Filters">
          {request.filters.map((filter, index) => (
            <li key={`${describeFilter(filter)} ${index}`} className="badge filter">
              <span className="break">{showMarks(describeFilter(filter))}</span>
              <RemoveButton filter={filter} onRemove={() => onChange(withoutFilter(request, index))} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function RemoveButton({ filter, onRemove }: { filter: RowsRequest['filters'][number]; onRemove: () => void }) {
  const button = useLeavingFocus();
  return (
    <button
      ref={button}
      type="button"
      aria-label={showMarks(`Remove the filter: ${describeFilter(filter)}`)}
      onClick={onRemove}
    >
      ×
    </button>
  );
}
