import './domains.css';
import { standingOf, stepsOf } from '@lilac/contract/domain-steps';
import { readableHostname } from '@lilac/contract/readable-hostname';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { type DomainState, type Environment, isAtWork, retryOf } from './domain-state.ts';

interface DomainDetailsProps {
  environment: Environment;
  state: DomainState;
  canChange: boolean;
  onChanged: (state: DomainState) => void;
}

/** The steps, what is amiss, and the records: folded away where they are found. */
export function DomainDetails({ environment, state, canChange, onChanged }: DomainDetailsProps) {
  const standing = standingOf(state);
  return (
    <>
      <Steps state={state} />
      <Trouble state={state} />
      {standing === 'unaddressed' && <Meanwhile environment={environment} state={state} />}
      {!state.dns_verified && standing !== 'unaddressed' && <Records state={state} />}
      <Retry {...{ environment, state, canChange, onChanged }} />
      {state.dns_verified && state.records.length > 0 && (
        <details className="folded">
          <summary>DNS records</summary>
          <Records state={state} />
        </details>
      )}
    </>
  );
}

/** Whoever does not see the list is told when the next step is reached. */
function Steps({ state }: { state: DomainState }) {
  const steps = stepsOf(state);
  const reached = steps.findLast((step) => step.state !== 'ahead');
  return (
    <>
      <ol className="steps" aria-label={`Steps of ${state.domain}`}>
        {steps.map((step, index) => (
          <li
            key={index}
            className={`step step-${step.state === 'current' && !isAtWork(state) ? 'awaited' : step.state}`}
            aria-current={step.state === 'current' ? 'step' : undefined}
          >
            {step.title}
          </li>
        ))}
      </ol>
      <span className="visually-hidden" role="status">
        {reached && `${state.domain}: ${reached.title}`}
      </span>
    </>
  );
}

const noticeLooks = {
  none: '',
  unaddressed: 'notice-warning',
  looking: '',
  missing: '',
  wrong: '',
  ordered: '',
  waiting: '',
  served: 'notice-warning',
  proxied: '',
  astray: 'notice-warning',
  failed: 'notice-error',
};

function Trouble({ state }: { state: DomainState }) {
  if (state.error === null) return null;
  return <p className={`notice ${noticeLooks[standingOf(state)]}`}>{state.error}</p>;
}

/** There is no record to create: when there will be, and where it is reached until then. */
function Meanwhile({
  environment,
  state: { domain, auto_subdomain },
}: Pick<DomainDetailsProps, 'environment' | 'state'>) {
  const address = environment.url.replace(/^https?:\/\//, '');
  return (
    <p className="about">
      Until then there is no record that you could create for {readableHostname(domain ?? '')}; it will be shown here.
      {auto_subdomain && <> Meanwhile it is reached at {address}.</>}
    </p>
  );
}

const retries = {
  look: {
    action: 'Look again now',
    meanwhile: 'Lilac looks again every few seconds while this page is open, and goes on looking afterwards.',
    done: 'Looked just now: this is what there is.',
  },
  try: { action: 'Try again now', meanwhile: 'Lilac goes on trying by itself.', done: 'Tried just now.' },
};

/** Who may not hurry it is told all the same that it goes on. */
function Retry({ environment, state, canChange, onChanged }: DomainDetailsProps) {
  const { organisation } = useMember();
  const retry = useAction(async () => {
    const body = { targetOrganisationId: organisation.id, environmentId: environment.id };
    onChanged(await browserSession.call('environments.retry-domain', { body }));
  });
  const kind = retryOf(state);
  if (kind === null) return null;
  const { action, meanwhile, done } = retries[kind];
  return (
    <>
      <ErrorNotice error={retry.error} />
      <div className="actions">
        {canChange && (
          <Button isBusy={retry.isBusy} onClick={() => void retry.run()} aria-label={`${action}: ${state.domain}`}>
            {action}
          </Button>
        )}
        <span className="meta">{meanwhile}</span>
        <span className="done" role="status">
          {retry.isDone && done}
        </span>
      </div>
    </>
  );
}

function Records({ state: { records, dns_verified } }: { state: DomainState }) {
  if (records.length === 0) return null;
  const these = records.length === 1 ? 'this record' : 'these records';
  return (
    <div className="stack">
      <p className="about">
        {dns_verified
          ? `Leave ${these} where the DNS of the domain is kept.`
          : `Create ${these} where the DNS of the domain is kept. Some providers want the name without the domain at its end.`}
      </p>
      <ul className="records">
        {records.map(({ type, name, value }) => (
          <li key={`${type} ${name} ${value}`} className="record" aria-label={`${type} record`}>
            <strong className="mono">{type}</strong>
            <Copyable label="Name" value={name} />
            <Copyable label="Value" value={value} />
          </li>
        ))}
      </ul>
    </div>
  );
}
