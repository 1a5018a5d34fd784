import { formatQuantity } from '../../lib/metric-format.ts';
import { formatAbsolute } from '../../lib/format-time.ts';
import { isUnfinished, type PlotSeries, sampleRows, toColumns } from './data.ts';

const MOST_ROWS = 20;

/** The lines in numbers, a sample of them, for screen readers. */
export function PlotTable({ title, series }: { title: string; series: readonly PlotSeries[] }) {
  const [moments, ...columns] = toColumns(series);
  const rows = moments.map((t, row) => ({ t, values: columns.map((column) => column[row]) }));
  const measured = rows.filter(({ values }) => values.some((value) => typeof value === 'number'));
  return (
    <div className="visually-hidden">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sampleRows(measured, MOST_ROWS).map(({ t, values }) => (
            <tr key={t}>
              <th scope="row">
                {formatAbsolute(new Date(t * 1000).toISOString())}
                {series.some((each) => isUnfinished(each, t * 1000)) && ', so far'}
              </th>
              {values.map((value, index) => (
                <td key={series[index]!.label}>
                  {typeof value === 'number' ? formatQuantity(value, series[index]!.unit) : 'not measured'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
