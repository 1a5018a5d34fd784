import { memo, useState } from 'react';
import { formatDuration } from '@lilac/contract/format-duration';
import { Badge } from '../../../parts/badge.tsx';
import { CellView } from '../cells/cell-view.tsx';
import { WholeSwitch } from '../cells/whole-switch.tsx';
import type { QueryResult } from './describe-result.ts';
import { Name } from '../../../parts/name.tsx';

interface QueryResultViewProps {
  result: QueryResult;
  words: string;
}

/** A thousand rows are not drawn anew for every letter that is typed above them. */
export const QueryResultView = memo(function QueryResultView({ result, words }: QueryResultViewProps) {
  const [isWhole, setWhole] = useState(false);
  const { columns, rows, durationMs, truncated } = result;
  const took = durationMs < 1000 ? `${Math.round(durationMs)} ms` : formatDuration(durationMs);
  return (
    <section className="card" aria-label="Result">
      <div className="actions query-result-head">
        <div className="actions" role="status">
          <strong>{words}</strong>
          <span className="meta">in {took}</span>
          {truncated && <Badge tone="warning">there is more than is shown</Badge>}
        </div>
        {rows.length > 0 && <WholeSwitch isWhole={isWhole} onChange={setWhole} />}
      </div>
      {columns.length > 0 && (
        <div
          className={isWhole ? 'grid grid-whole' : 'grid'}
          tabIndex={0}
          role="region"
          aria-label="Rows of the result"
        >
          <table>
            <thead>
              <tr>
                {columns.map(({ name, type }, index) => (
                  // Two columns of a result may have one name.
                  <th key={`${name} ${index}`} scope="col">
                    <Name of={name} />
                    <span className="grid-type">
                      <Name of={type} />
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((value, column) => (
                    <td key={column}>
                      <CellView value={value} type={columns[column]?.type ?? ''} isWhole={isWhole} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {columns.length > 0 && rows.length === 0 && <p className="meta">No rows.</p>}
    </section>
  );
});
