import './outcome-notices.css';
import { useEffect, useRef } from 'react';
import { dismissOutcome, type Outcome, useOutcomes } from '../lib/outcomes.ts';
import { Link, usePath } from '../lib/router.tsx';
import { Button } from '../parts/button.tsx';
import { useUncoveredFocus } from './use-uncovered-focus.ts';

/** For who has gone elsewhere since they started it: what became of it, and where. It stands in nobody's way. */
export function OutcomeNotices() {
  const outcomes = useOutcomes();
  const place = useRef<HTMLDivElement>(null);
  useUncoveredFocus(place, outcomes);
  return (
    <div ref={place} className="outcomes" role="status">
      {outcomes.map((outcome) => (
        <OutcomeNotice key={`${outcome.href} ${outcome.said}`} outcome={outcome} />
      ))}
    </div>
  );
}

function OutcomeNotice({ outcome }: { outcome: Outcome }) {
  const { kind, said, href } = outcome;
  const isThere = usePath() === href;
  // What failed is not to be seen there: that is told here only.
  const isSeen = isThere && kind === 'done';
  useEffect(() => {
    if (isSeen) dismissOutcome(outcome);
  }, [isSeen, outcome]);
  return (
    <div className={kind === 'failed' ? 'outcome outcome-failed' : 'outcome'}>
      <p>
        {said} {href && !isThere && <Link href={href}>{kind === 'failed' ? 'Go back there' : 'Show it'}</Link>}
      </p>
      <Button look="quiet" onClick={() => dismissOutcome(outcome)} aria-label={`Dismiss: ${said}`}>
        Dismiss
      </Button>
    </div>
  );
}
