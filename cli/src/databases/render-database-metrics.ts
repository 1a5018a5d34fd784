import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { MetricRange } from '@lilac/contract/states';
import { MEBIBYTE, renderColumns, sizeFor } from '../metrics/render-metrics.ts';

type DatabaseMetrics = OutputOf<Endpoints['databases.metrics']>['metrics'];

const rangesOfDays: readonly MetricRange[] = ['24h', '7d'];

/** What a database used, as what environments used is shown. */
export function renderDatabaseMetrics(
  { cpu, memory, storage, connections }: DatabaseMetrics,
  { range, width }: { range: MetricRange; width: number },
): string {
  const [unit, scale] = sizeFor(storage);
  const columns = [
    { name: 'CPU', unit: '%', series: cpu, scale: 1 },
    { name: 'MEMORY', unit: 'MiB', series: memory, scale: MEBIBYTE },
    { name: 'STORAGE', unit, series: storage, scale },
    { name: 'CONNECTIONS', unit: '', series: connections, scale: 1 },
  ];
  return renderColumns(columns, { width, hasDays: rangesOfDays.includes(range) });
}
