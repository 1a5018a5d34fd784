import { z } from 'zod';
import { id, organisationFields, timestamp } from './common-shapes.ts';
import { endpoint, readOnly } from './endpoint.ts';
import { inOrganisation } from './scopes.ts';
import { deploymentTypes, metricNames, metricRanges } from './states.ts';

const point = z.object({ t: timestamp, v: z.number() });
const series = z.array(point);

export const metrics = {
  'metrics.detailed': endpoint({
    ...inOrganisation,
    resource: { kind: 'environment', field: 'environmentId' },
    path: '/api/environments/metrics/detailed',
    summary: 'Show how an environment is used and what it uses',
    description:
      'One point for each step of the range: a minute for 1h, five minutes for 6h, a quarter of an hour for 24h, ' +
      'two hours for 7d. Nothing happened is a point with 0; a step with no point was not measured: the platform was ' +
      'not running, or, for `cpu`, `memory` and `latency`, there was nothing to measure. `requestCount`, ' +
      '`bandwidthIn` and `bandwidthOut` (bytes) are sums; `latency` is the 95th percentile in milliseconds; `cpu` is ' +
      'percent of what the instances may use; `memory` is bytes, all instances together, the most within the step; ' +
      '`instanceCount` is a mean.',
    permission: 'read:projects',
    body: z.object({
      ...organisationFields,
      environmentId: id,
      timeRange: z.enum(metricRanges),
      metrics: z.array(z.enum(metricNames)).min(1).max(20).optional().meta({ description: 'left out: all' }),
    }),
    output: z.object({
      environmentId: id,
      deploymentType: z.enum(deploymentTypes),
      timeRange: z.object({ startTime: timestamp, endTime: timestamp, stepSeconds: z.int() }),
      metrics: z.partialRecord(z.enum(metricNames), series),
      latencyPercentiles: z
        .object({ p50: series, p99: series })
        .optional()
        .meta({ description: 'beside the 95th, where `latency` is asked for' }),
    }),
    cli: ['envs', 'metrics'],
    mcp: readOnly,
  }),
  'metrics.sparkline': endpoint({
    ...inOrganisation,
    path: '/api/environments/metrics/sparkline',
    summary: 'Show the requests of the last hour, of several environments',
    description: 'Requests a minute, at most 60 points each. Environments that are not there are left out.',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, environmentIds: z.array(id).max(100) }),
    output: z.object({ environments: z.record(id, series) }),
    cli: ['envs', 'sparkline'],
    mcp: readOnly,
  }),
};
