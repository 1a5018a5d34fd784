import type { Handlers } from '../../http/handler.ts';
import { parseCursor, presentCursor } from './cursor.ts';
import { requireSeverities } from './log-filter.ts';
import { inOrderOfTime, presentLine } from './present.ts';
import { searchLogs, type SearchDeps } from './search-logs.ts';

const MAX_LINES = 10_000;

export function logHandlers(deps: SearchDeps): Pick<Handlers, 'logs.search'> {
  return {
    'logs.search': async ({ body, organisation, resource, response }) => {
      const { severity, textSearch, startTime, endTime } = body.filters ?? {};
      const { entries, beforeLine } = await searchLogs(deps, {
        environmentId: resource.id,
        owner: organisation.id,
        filter: {
          severities: requireSeverities(severity ?? []),
          textSearch,
          startTime: startTime === undefined ? null : new Date(startTime),
          endTime: endTime === undefined ? null : new Date(endTime),
        },
        limit: Math.trunc(Math.min(Math.max(body.limit, 1), MAX_LINES)),
        beforeLine: body.cursor === undefined ? undefined : parseCursor(body.cursor),
        signal: response.signal,
      });
      if (beforeLine !== null) response.setNextCursor(presentCursor(beforeLine));
      return inOrderOfTime(entries).map(presentLine);
    },
  };
}
