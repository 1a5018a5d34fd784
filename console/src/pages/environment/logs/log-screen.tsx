import { useEffect, useState } from 'react';
import { Link } from '../../../lib/router.tsx';
import { useStream } from '../../../lib/use-stream.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { LogBuffer } from '../../../parts/log-view/buffer.ts';
import { LogView } from '../../../parts/log-view/log-view.tsx';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';
import { DownloadButton } from './download-button.tsx';
import { LogFeed } from './log-feed.ts';
import type { LogRequest } from './log-request.ts';
import type { Outcome } from './older-pages.ts';
import { useOlderLines } from './use-older-lines.ts';

const MAX_LINES = 50_000;
const FIRST_LINES = 500;

type LogScreenProps = Pick<TabProps, 'environment' | 'application'> & { request: LogRequest };

/** One request's lines; for another one it is made anew. */
export function LogScreen({ environment, application, request }: LogScreenProps) {
  const isThinned = request.severities.length > 0 || request.text !== '';
  const [{ log, feed }] = useState(() => makeFeed(isThinned));
  const isLive = request.time === '';
  const stream = useFollowed(environment.id, isLive ? request : null, feed);
  const older = useOlderLines({ environmentId: environment.id, request, log, feed });
  const isFiltered = isThinned || !isLive;
  return (
    <>
      <ErrorNotice error={stream.error ?? older.error} />
      {older.outcome === 'full' && <FullNotice />}
      <LogView
        label="Log"
        log={log}
        isNumbered={false}
        filter={request.text}
        onReachStart={() => void older.load()}
        empty={
          <Empty
            {...{ isFiltered, isBusy: older.isBusy, environment }}
            isLoading={isLive && !stream.isOpen && !stream.error}
            isStatic={application.deployment_type === 'static'}
          />
        }
      >
        {isLive && <Following feed={feed} isBroken={Boolean(stream.error)} isCut={stream.isCut} />}
        <Button isBusy={older.isBusy} disabled={older.outcome !== 'more'} onClick={() => void older.load()}>
          {olderNames[older.outcome]}
        </Button>
        <DownloadButton log={log} name={`${application.slug}-${environment.name}`} />
      </LogView>
    </>
  );
}

const olderNames: Record<Outcome, string> = {
  more: 'Older lines',
  over: 'No older lines',
  full: 'No room for older lines',
};

function FullNotice() {
  return (
    <p className="notice" role="status">
      This page holds {MAX_LINES.toLocaleString('en-GB')} lines, and there may be older ones. To see them, choose a time
      that ends earlier, or filter by severity or text. What is shown can be downloaded.
    </p>
  );
}

function makeFeed(hasGaps: boolean) {
  const log = new LogBuffer({ maxLines: MAX_LINES, hasGaps });
  return { log, feed: new LogFeed(log, { maxWaiting: MAX_LINES }) };
}

function useFollowed(environmentId: string, request: LogRequest | null, feed: LogFeed) {
  const targetOrganisationId = useMember().organisation.id;
  const query = request && {
    lines: FIRST_LINES,
    ...(request.severities.length > 0 && { severity: request.severities.join(',') }),
    ...(request.text && { textSearch: request.text }),
  };
  const input = query && { params: { targetOrganisationId, environmentId }, query };
  return useStream('logs.stream', input, ({ data: { t, severity, message } }) =>
    feed.add({ at: t, severity, text: message }),
  );
}

const COUNT_MS = 500;

/** Whether lines come by themselves. While it is paused they stay where they are, and how many wait is said. */
function Following({ feed, isBroken, isCut }: { feed: LogFeed; isBroken: boolean; isCut: boolean }) {
  const [waiting, setWaiting] = useState<number | null>(null);
  const isPaused = waiting !== null;
  useEffect(() => {
    if (!isPaused) return undefined;
    const timer = setInterval(() => setWaiting(feed.waiting), COUNT_MS);
    return () => clearInterval(timer);
  }, [isPaused, feed]);
  const toggle = () => {
    if (isPaused) feed.goOn();
    else feed.pause();
    setWaiting(isPaused ? null : 0);
  };
  return (
    <>
      {!isBroken && (
        <span className={isPaused || isCut ? 'env-log-live env-log-paused' : 'env-log-live'} role="status">
          {isPaused ? 'Paused' : isCut ? 'Connecting again…' : 'Live'}
        </span>
      )}
      <Button onClick={toggle} look={isPaused ? 'primary' : 'plain'}>
        {isPaused ? `Continue (${waiting.toLocaleString('en-GB')} waiting)` : 'Pause'}
      </Button>
    </>
  );
}

interface EmptyProps {
  isFiltered: boolean;
  isBusy: boolean;
  /** Nobody has answered yet. */
  isLoading: boolean;
  isStatic: boolean;
  environment: TabProps['environment'];
}

function Empty({ isFiltered, isBusy, isLoading, isStatic, environment: { id, access_log } }: EmptyProps) {
  if (isLoading) return <>Loading…</>;
  if (isBusy) return <>Looking…</>;
  if (isFiltered) return <>No line matches. Lines are kept for seven days.</>;
  if (!isStatic || access_log) return <>Waiting for lines. They appear here as they are written.</>;
  return (
    <>
      A static site writes nothing by itself. Switch on the access log in the{' '}
      <Link href={`/environments/${id}/settings`}>settings</Link> to have a line for every request.
    </>
  );
}
