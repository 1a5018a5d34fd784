import { metricRanges, type MetricRange } from '@lilac/contract/states';
import type { Flag } from '../frame/flag.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { renderDatabaseMetrics } from '../databases/render-database-metrics.ts';
import { renderMetrics, type Metrics } from './render-metrics.ts';
import { renderPlots } from './render-plots.ts';
import { newestOf, sparkline, totalOf } from '../terminal/sparkline.ts';

const [DEFAULT_RANGE] = metricRanges;

const range: Flag = {
  part: 'body',
  key: 'timeRange',
  name: 'time-range',
  kind: 'text',
  isRequired: false,
  isPositional: true,
  isNullable: false,
  choices: metricRanges,
  description: `${metricRanges.join(' | ')}; default ${DEFAULT_RANGE}`,
};

/** Figures as people compare them; with --json the answers are as they came. */
export const metricCommands: readonly OwnCommand[] = [
  {
    words: ['metrics'],
    summary: 'Plot how an environment is used and what it uses',
    description:
      'A plot for each figure; times are in UTC. Each bar is a minute of the last hour, five minutes of 6h, a quarter of ' +
      'an hour of 24h, two hours of 7d, and the highest of several where the terminal is narrow. Blank is what was not ' +
      'measured. As a table: lilac envs metrics.',
    endpoint: 'metrics.detailed',
    arguments: ['environmentId', 'metrics'],
    flags: [range],
    run: (run) => showMetrics(run, (metrics) => renderPlots(metrics, run.paper)),
  },
  {
    words: ['envs', 'metrics'],
    summary: 'Show how an environment is used and what it uses',
    description:
      'A row for each minute of the last hour, each five minutes of 6h, each quarter of an hour of 24h, each two ' +
      'hours of 7d; times are in UTC. Requests, in and out are sums, CPU is percent of what the instances may use, ' +
      'and - is what was not measured.',
    endpoint: 'metrics.detailed',
    arguments: ['environmentId', 'metrics'],
    flags: [range],
    run: (run) => showMetrics(run, (metrics) => renderMetrics(metrics, run.paper.width)),
  },
  {
    words: ['envs', 'sparkline'],
    summary: 'Show the requests of the last hour, of several environments',
    description: 'A line for each: the requests from an hour ago until now, as high as they were many, and their sum.',
    endpoint: 'metrics.sparkline',
    arguments: ['environmentIds'],
    run: showSparklines,
  },
  {
    words: ['db', 'metrics'],
    summary: 'Show what a database uses',
    description:
      'A row for each minute of the last hour, each five minutes of 6h, each quarter of an hour of 24h, each two ' +
      'hours of 7d; times are in UTC. CPU is percent of what its tier gives, and - is what was not measured.',
    endpoint: 'databases.metrics',
    arguments: ['databaseId'],
    flags: [range],
    run: showDatabaseMetrics,
  },
];

async function showMetrics(
  { client, body, isJson, print, signal }: CommandRun,
  render: (metrics: Metrics) => string,
): Promise<null> {
  const wanted = { timeRange: DEFAULT_RANGE, ...body } as typeof body & {
    environmentId: string;
    timeRange: typeof DEFAULT_RANGE;
  };
  const metrics = await client.call('metrics.detailed', { body: wanted, signal });
  await print(`${isJson ? JSON.stringify(metrics, null, 2) : render(metrics)}\n`);
  return null;
}

async function showDatabaseMetrics({ client, body, isJson, paper, print, signal }: CommandRun): Promise<null> {
  const wanted = { timeRange: DEFAULT_RANGE, ...body } as { databaseId: string; timeRange: MetricRange };
  const answer = await client.call('databases.metrics', { body: wanted, signal });
  const table = () => renderDatabaseMetrics(answer.metrics, { range: wanted.timeRange, width: paper.width });
  await print(`${isJson ? JSON.stringify(answer, null, 2) : table()}\n`);
  return null;
}

async function showSparklines(run: CommandRun): Promise<null> {
  const { client, isJson, paper, print, complain, signal } = run;
  const body = run.body as { environmentIds: string[]; targetOrganisationId?: string };
  const answer = await client.call('metrics.sparkline', { body, signal });
  if (isJson) {
    await print(`${JSON.stringify(answer, null, 2)}\n`);
    return null;
  }
  const found = new Map(Object.entries(answer.environments));
  const ids = [...new Set(body.environmentIds)];
  const rows = ids.flatMap((id) => (found.has(id) ? [{ id, series: found.get(id)! }] : []));
  for (const line of sparklineRows(rows, paper)) await print(`${line}\n`);
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) complain(`There is no ${missing.join(', no ')}.\n`);
  return null;
}

type Row = { id: string; series: readonly { t: string; v: number }[] };

function sparklineRows(rows: readonly Row[], { width, hasUnicode }: CommandRun['paper']): string[] {
  const end = newestOf(rows.map(({ series }) => series));
  const totals = rows.map(({ series }) => String(totalOf(series)));
  const idWidth = Math.max(0, ...rows.map(({ id }) => id.length));
  const totalWidth = Math.max(0, ...totals.map(({ length }) => length));
  const room = width - idWidth - totalWidth - 4;
  return rows.map(({ id, series }, index) => {
    const line = sparkline(series, { end, width: room, hasUnicode });
    return `${id.padEnd(idWidth)}  ${line}  ${totals[index]!.padStart(totalWidth)}`;
  });
}
