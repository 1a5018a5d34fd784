import { z } from 'zod';
import { clampedTo, id, organisationFields, timestamp } from './common-shapes.ts';
import { endpoint, readOnly } from './endpoint.ts';
import { lastEventId } from './request-headers.ts';
import { nextCursor } from './response-headers.ts';
import { inOrganisation, OWN_ORGANISATION } from './scopes.ts';
import { severities } from './states.ts';

const severityNames = severities.join(', ');

/** What a line must be to be shown; the same words for what was and for what comes. */
const textSearch = z
  .string()
  .max(1000)
  .meta({ description: 'a part of the message; upper and lower case are the same' });

const logEvent = z.object({
  t: timestamp,
  severity: z.enum(severities),
  message: z.string(),
  instance: id.nullable().meta({ description: 'who wrote it; null: the platform itself' }),
});

export const logs = {
  'logs.search': endpoint({
    ...inOrganisation,
    resource: { kind: 'environment', field: 'environmentId' },
    path: '/api/environments/logs',
    summary: "Search an environment's log of the last seven days",
    description:
      'Answers the newest lines that match, the oldest of them first, each `timestamp SEVERITY message`. Where there ' +
      'may be older ones, the header `X-Next-Cursor` says what to send as `cursor` to get those before them: a page ' +
      'can be shorter than the limit, or empty, when a lot had to be looked through.',
    permission: 'read:projects',
    body: z.object({
      ...organisationFields,
      environmentId: id,
      filters: z
        .object({
          startTime: timestamp.optional(),
          endTime: timestamp.optional(),
          severity: z
            .array(z.string().max(20))
            .max(20)
            .optional()
            .meta({ description: `any of them: ${severityNames}; upper or lower case` }),
          textSearch: textSearch.optional(),
        })
        .optional(),
      limit: z
        .number()
        .default(1000)
        .meta({ description: clampedTo(1, 10_000) }),
      cursor: z.string().max(100).optional().meta({ description: 'from `X-Next-Cursor` of the page before' }),
    }),
    output: z.array(z.string()),
    responseHeaders: [nextCursor],
    cli: ['logs'],
    mcp: readOnly,
  }),
  'logs.stream': endpoint({
    ...inOrganisation,
    method: 'GET',
    organisation: 'params.targetOrganisationId',
    resource: { kind: 'environment', field: 'environmentId', in: 'params' },
    path: '/api/environments/:targetOrganisationId/:environmentId/logs/stream',
    summary: "Follow an environment's log as it is written",
    description:
      'Server-sent events. Every line is numbered: whoever comes back with `Last-Event-ID` gets what came after it, ' +
      'with no gap and nothing twice, and `lines` counts for nothing. With a number that was never given out it begins ' +
      'as for the first time. While nothing happens a comment comes every 15 seconds. It ends when the caller may no ' +
      'longer read, and when the platform restarts: come back then. One caller may have 20 streams open.',
    permission: 'read:projects',
    params: z.object({
      targetOrganisationId: id.meta({ description: `with an API key also ${OWN_ORGANISATION}: its own` }),
      environmentId: id,
    }),
    query: z.object({
      severity: z
        .string()
        .max(200)
        .optional()
        .meta({ description: `any of them, separated by commas: ${severityNames}` }),
      textSearch: textSearch.optional(),
      lines: z.coerce
        .number()
        .default(0)
        .meta({ description: `begin with so many earlier lines that match: ${clampedTo(0, 1000)}` }),
    }),
    headers: [lastEventId],
    needsLiveSession: true,
    stream: true,
    output: z.object({ log: logEvent }),
    cli: null,
    mcp: null,
  }),
};
