import { formatDuration } from '@lilac/contract/format-duration';
import { useSeconds } from '../lib/use-seconds.ts';
import { Button } from '../parts/button.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { browserSession } from '../session/browser-session.ts';

/** Nobody needs to watch the last seconds go by in tenths. */
const LEAST_MS = 10_000;

/** For whoever cannot even be asked who they are, because too much was asked from where they are. */
export function ThrottledPage({ untilMs }: { untilMs: number }) {
  const leftMs = Math.max(LEAST_MS, untilMs - useSeconds(true));
  return (
    <NarrowPage
      title="Too many requests"
      about={`There were too many requests from this address. This page goes on by itself, in ${formatDuration(leftMs)} at most.`}
    >
      <div className="actions">
        <Button look="primary" onClick={() => void browserSession.refresh()}>
          Try now
        </Button>
      </div>
    </NarrowPage>
  );
}
