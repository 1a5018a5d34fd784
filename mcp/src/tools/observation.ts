import { metricNames, metricRanges, severities } from '@lilac/contract/states';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { environmentId, organisationField } from '../fields.ts';
import { inOwnWords } from '../in-own-words.ts';
import { tail } from '../shorten.ts';
import { summariseSeries, seriesSummary } from '../summarise-series.ts';

const time = z.iso.datetime({ offset: true });
/** As long as a page may be altogether. */
const MAX_LENGTH = 40_000;

const SEARCHING = [
  [/send the X-Next-Cursor header[^.]*\./, 'send next_cursor of the answer before, or leave it out.'],
] as const;

export const observationTools = [
  defineTool({
    name: 'get_logs',
    title: 'Read logs',
    description:
      'Search what an environment has written in the last seven days: the newest lines that match, oldest of them first, each "time SEVERITY message". For the log of a build use get_deployment.',
    access: 'read',
    input: z.object({
      ...organisationField,
      environmentId,
      search: z.string().max(1000).optional().describe('A part of the message; upper and lower case are the same.'),
      severity: z.array(z.enum(severities)).max(severities.length).optional().describe('Any of these. Left out: all.'),
      startTime: time.optional().describe('RFC 3339, as 2026-01-31T12:00:00Z.'),
      endTime: time.optional(),
      limit: z.int().min(1).max(500).default(100).describe('How many lines at most.'),
      cursor: z.string().max(100).optional().describe('next_cursor of the answer before, for older lines.'),
    }),
    output: z.object({
      lines: z.array(z.string()),
      shown: z.int(),
      left_out: z.int().describe('Lines of this page that were too long to show; ask with a smaller limit.'),
      next_cursor: z.string().nullable().describe('Send it as cursor to get older lines; null when there are none.'),
    }),
    async run({ input, lilac, targetOrganisationId, signal }) {
      const { environmentId, search, severity, startTime, endTime, limit, cursor } = input;
      let next: string | null = null;
      const filters = { textSearch: search, severity, startTime, endTime };
      const found = await lilac
        .call('logs.search', {
          body: { targetOrganisationId, environmentId, filters, limit, cursor },
          signal,
          onHeaders: (headers) => (next = headers.get('x-next-cursor')),
        })
        .catch(inOwnWords(SEARCHING));
      const lines = tail(found, limit, MAX_LENGTH);
      return { lines, shown: lines.length, left_out: found.length - lines.length, next_cursor: next };
    },
  }),
  defineTool({
    name: 'get_metrics',
    title: 'Show metrics',
    description:
      'Show how an environment is used and what it uses, summed up for each metric: last, lowest, highest, mean and total. cpu in percent, memory and bandwidth in bytes, latency in milliseconds (95th percentile). includePoints adds the series.',
    access: 'read',
    input: z.object({
      ...organisationField,
      environmentId,
      timeRange: z.enum(metricRanges).default('1h'),
      metrics: z.array(z.enum(metricNames)).min(1).max(metricNames.length).optional().describe('Left out: all.'),
      includePoints: z.boolean().default(false).describe('Also the points, at most 30 for each metric.'),
    }),
    output: z.object({
      time_range: z.object({ start: z.string(), end: z.string(), step_seconds: z.int() }),
      deployment_type: z.string(),
      metrics: z.partialRecord(z.enum(metricNames), seriesSummary),
    }),
    async run({ input, lilac, targetOrganisationId, signal }) {
      const { environmentId, timeRange, metrics, includePoints } = input;
      const body = { targetOrganisationId, environmentId, timeRange, metrics };
      const answer = await lilac.call('metrics.detailed', { body, signal });
      const { startTime, endTime, stepSeconds } = answer.timeRange;
      const summaries = Object.entries(answer.metrics).map(([name, points]) => [
        name,
        summariseSeries(points, includePoints),
      ]);
      return {
        time_range: { start: startTime, end: endTime, step_seconds: stepSeconds },
        deployment_type: answer.deploymentType,
        metrics: Object.fromEntries(summaries) as Record<string, z.output<typeof seriesSummary>>,
      };
    },
  }),
];
