import { useCallback, useEffect, useRef, useState } from 'react';
import type { LogBuffer } from '../../../parts/log-view/buffer.ts';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { LogFeed } from './log-feed.ts';
import { filtersOf, type LogRequest, parseLogLine } from './log-request.ts';
import { OlderPages, type Outcome } from './older-pages.ts';

const PAGE_LINES = 1000;

interface OlderLinesOptions {
  environmentId: string;
  request: LogRequest;
  log: LogBuffer;
  feed: LogFeed;
}

/** What is before the lines that are shown, page by page; without any lines, the newest. */
export function useOlderLines({ environmentId, request, log, feed }: OlderLinesOptions) {
  const targetOrganisationId = useMember().organisation.id;
  const [state, setState] = useState<{ isBusy: boolean; outcome: Outcome; error: unknown }>(asleep);
  // Scrolling at the beginning asks again and again.
  const isDone = useRef(false);
  const isAsking = useRef(false);
  const [nowMs] = useState(() => Date.now());
  const [pages] = useState(() => {
    const base = filtersOf(request, nowMs);
    const read = async ({ cursor, endTime }: { cursor?: string; endTime?: string }) => {
      let next: string | null = null;
      const filters = { ...base, ...(endTime && { endTime }) };
      const lines = await browserSession.call('logs.search', {
        body: { targetOrganisationId, environmentId, filters, limit: PAGE_LINES, ...(cursor && { cursor }) },
        onHeaders: (headers) => (next = headers.get('x-next-cursor')),
      });
      return { lines: lines.map(parseLogLine), cursor: next };
    };
    return new OlderPages({ log, feed, read });
  });
  const load = useCallback(async () => {
    if (isAsking.current || isDone.current) return;
    isAsking.current = true;
    setState({ ...asleep, isBusy: true });
    const came = await pages.next().then(
      (outcome) => ({ ...asleep, outcome }),
      (error: unknown) => ({ ...asleep, error }),
    );
    isAsking.current = false;
    isDone.current = came.outcome !== 'more';
    setState(came);
  }, [pages]);
  const isLive = request.time === '';
  useEffect(() => {
    if (!isLive) void load();
  }, [isLive, load]);
  return { ...state, load };
}

const asleep = { isBusy: false, outcome: 'more' as Outcome, error: null };
