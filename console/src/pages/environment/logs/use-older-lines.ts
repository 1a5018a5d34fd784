import { useCallback, useEffect, useRef, useState } from 'react';
import type { LogBuffer } from '../../../parts/log-view/buffer.ts';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { LogFeed } from './log-feed.ts';
import { filtersOf, type LogRequest, parseLogLine, withoutHeld } from './log-request.ts';

const PAGE_LINES = 1000;
/** A page may be empty when a lot had to be looked through; so many are taken at one go. */
const MAX_PAGES = 10;
/** Followed lines come in the order of storing: a neighbour may be that much later than the first. */
const MARGIN_MS = 1000;

interface OlderLinesOptions {
  environmentId: string;
  request: LogRequest;
  log: LogBuffer;
  feed: LogFeed;
}

/** What is before the lines that are shown, page by page; without any lines, the newest. */
export function useOlderLines({ environmentId, request, log, feed }: OlderLinesOptions) {
  const targetOrganisationId = useMember().organisation.id;
  const [state, setState] = useState<{ isBusy: boolean; isOver: boolean; error: unknown }>(asleep);
  // Undefined before the first page; null when there are no more.
  const cursor = useRef<string | null | undefined>(undefined);
  const isAsking = useRef(false);
  const [nowMs] = useState(() => Date.now());
  const ask = useCallback(async () => {
    for (let pages = 0; pages < MAX_PAGES && cursor.current !== null; pages++) {
      const isFirst = cursor.current === undefined;
      const filters = { ...filtersOf(request, nowMs), ...(isFirst && endBefore(log)) };
      const lines = await browserSession.call('logs.search', {
        body: {
          targetOrganisationId,
          environmentId,
          filters,
          limit: PAGE_LINES,
          ...(cursor.current && { cursor: cursor.current }),
        },
        onHeaders: (headers) => (cursor.current = headers.get('x-next-cursor')),
      });
      const older = withoutHeld(lines.map(parseLogLine), log.lines);
      if (older.length === 0) continue;
      // The stream may be about to bring these.
      if (log.lines.length === 0) feed.leaveOut(older);
      log.prepend(older);
      return;
    }
  }, [targetOrganisationId, environmentId, request, log, feed, nowMs]);
  const load = useCallback(async () => {
    if (isAsking.current || cursor.current === null) return;
    isAsking.current = true;
    setState({ ...asleep, isBusy: true });
    const error: unknown = await ask().then(
      () => null,
      (failure: unknown) => failure,
    );
    isAsking.current = false;
    setState({ isBusy: false, isOver: cursor.current === null, error });
  }, [ask]);
  const isLive = request.time === '';
  useEffect(() => {
    if (!isLive) void load();
  }, [isLive, load]);
  return { ...state, load };
}

const asleep = { isBusy: false, isOver: false, error: null };

function endBefore({ lines }: LogBuffer): { endTime?: string } {
  const first = lines.find(({ at }) => at !== undefined);
  return first ? { endTime: new Date(Date.parse(first.at!) + MARGIN_MS).toISOString() } : {};
}
