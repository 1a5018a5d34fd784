import { useState } from 'react';
import type { OutputOf } from '../lib/api-types.ts';
import { hasCode } from '../lib/has-code.ts';
import { linkToken } from '../lib/link-token.ts';
import { Link, useHash } from '../lib/router.tsx';
import { useAction } from '../lib/use-action.ts';
import { useCall } from '../lib/use-call.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { WayOn } from '../parts/way-on.tsx';
import { browserSession } from '../session/browser-session.ts';
import { hostNameOf } from './repository-hosts/host-standing.tsx';
import { Name } from '../parts/name.tsx';

type Question = OutputOf<'vcs-app.confirm'>;

/** Back from a repository host, in another browser than the one that began: the person says yes, or does not. */
export function ConnectPage() {
  const attempt = linkToken(useHash());
  if (!attempt) {
    return (
      <NarrowPage title="The address is incomplete" about="Begin anew where you began; the part after # is missing.">
        <WayOn />
      </NarrowPage>
    );
  }
  return <Attempt key={attempt} attempt={attempt} />;
}

function Attempt({ attempt }: { attempt: string }) {
  const question = useCall('vcs-app.confirm', { body: { attempt, confirm: false } });
  const [outcome, setOutcome] = useState<'linked' | 'declined' | null>(null);
  if (hasCode(question.error, 'NF001', 'VA001')) return <SpentAttempt />;
  if (question.data === undefined) {
    return (
      <NarrowPage title="Link a repository host">
        <Loading of={question}>{() => null}</Loading>
      </NarrowPage>
    );
  }
  if (outcome === 'linked' || question.data.linked) return <Linked question={question.data} />;
  if (outcome === 'declined') return <Declined />;
  return <Decision attempt={attempt} question={question.data} onDecided={setOutcome} />;
}

interface DecisionProps {
  attempt: string;
  question: Question;
  onDecided: (outcome: 'linked' | 'declined') => void;
}

function Decision({ attempt, question, onDecided }: DecisionProps) {
  const { accountLogin, organisationName } = question;
  const { run, isBusy, error } = useAction(async () => {
    await browserSession.call('vcs-app.confirm', { body: { attempt, confirm: true } });
    onDecided('linked');
  });
  return (
    <NarrowPage
      title={`Link ${accountLogin} at ${nameOfHost(question)} to ${organisationName}?`}
      about={<Reach question={question} />}
    >
      <p className="hint">Say yes only if you began this yourself, in a terminal or another browser.</p>
      <ErrorNotice error={error} />
      <div className="actions">
        <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
          Yes, link it
        </Button>
        <Button onClick={() => onDecided('declined')}>No</Button>
      </div>
    </NarrowPage>
  );
}

const products = { provider1: 'GitHub', provider2: 'GitLab', provider3: 'Bitbucket' } as const;

/** `GitLab (git.example.org)`: the same name may be somebody else's at another host. */
const nameOfHost = (question: Question) => `${products[question.provider]} (${hostNameOf(question)})`;

/** An app is granted repositories; a connection reaches whatever its person does. */
function Reach({ question: { provider, accountLogin, organisationName } }: { question: Question }) {
  const members = (
    <>
      The members of{' '}
      <strong>
        <Name of={organisationName} />
      </strong>{' '}
      will be able to deploy
    </>
  );
  if (provider === 'provider1') {
    return (
      <>
        {members} the repositories of{' '}
        <strong>
          <Name of={accountLogin} />
        </strong>{' '}
        that were granted, private ones too.
      </>
    );
  }
  return (
    <>
      {members} every repository that{' '}
      <strong>
        <Name of={accountLogin} />
      </strong>{' '}
      can reach there, private ones too, and also those of
      {provider === 'provider2' ? ' groups' : ' workspaces'} that <Name of={accountLogin} /> belongs to.
    </>
  );
}

function Linked({ question: { accountLogin, organisationName } }: { question: Question }) {
  return (
    <NarrowPage
      title={`${accountLogin} is linked`}
      about={`${organisationName} can use its repositories now. Whatever waited for this goes on by itself.`}
    >
      <p>
        <Link href="/">To the applications</Link>
      </p>
    </NarrowPage>
  );
}

function Declined() {
  return (
    <NarrowPage title="Nothing was linked" about="You can close this page. The attempt runs out within the hour.">
      <p>
        <Link href="/">To the applications</Link>
      </p>
    </NarrowPage>
  );
}

function SpentAttempt() {
  return (
    <NarrowPage
      title="This cannot be linked any more"
      about="It has run out, was used before, or somebody else began it. Begin anew where you began."
    >
      <WayOn />
    </NarrowPage>
  );
}
