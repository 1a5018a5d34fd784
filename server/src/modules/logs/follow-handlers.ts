import type { Handlers } from '../../http/handler.ts';
import { followLogs, type FollowDeps } from './follow-logs.ts';
import { requireSeverities } from './log-filter.ts';

const MAX_LINES = 1000;

export function followHandlers(deps: FollowDeps): Pick<Handlers, 'logs.stream'> {
  return {
    'logs.stream': ({ query, organisation, resource, lastEventId, signal }) =>
      followLogs(deps, {
        environmentId: resource.id,
        organisationId: organisation.id,
        filter: {
          severities: requireSeverities(query.severity?.split(',') ?? []),
          textSearch: query.textSearch ?? null,
        },
        lines: Math.round(Math.min(Math.max(query.lines, 0), MAX_LINES)),
        lastEventId,
        signal,
      }),
  };
}
