import { standingOf } from '@lilac/contract/domain-steps';
import { readableHostname } from '@lilac/contract/readable-hostname';
import { useState } from 'react';
import { Link } from '../../lib/router.tsx';
import { useReturningFocus } from '../../lib/use-returning-focus.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { usePermission } from '../../shell/member-context.ts';
import { CheckingDomain } from './checking-domain.tsx';
import { DomainBadge } from './domain-badge.tsx';
import { DomainDetails } from './domain-details.tsx';
import { DomainForm } from './domain-form.tsx';
import type { DomainState, Environment } from './domain-state.ts';
import { RemoveDomain } from './remove-domain.tsx';
import { SwitchedOff } from './switched-off.tsx';
import { useDomain } from './use-domain.ts';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

interface EnvironmentRowProps {
  environment: Environment;
  /** Its name leads to its own page. */
  isLinked?: boolean;
}

/** One environment: its domain and how far that is, or the way to give it one. */
export function EnvironmentRow({ environment, isLinked = false }: EnvironmentRowProps) {
  const { state, error, adopt } = useDomain(environment);
  const canChange = usePermission('update:projects');
  const [isEditing, setEditing] = useState(false);
  const { ref: editButton, giveBack } = useReturningFocus();
  const close = () => {
    giveBack();
    setEditing(false);
  };
  const domain = state ? state.domain : environment.custom_domain;
  const saved = (next: DomainState) => {
    adopt(next);
    close();
  };
  return (
    <li className="row" aria-label={showMarks(environment.name)}>
      <div className="row-main">
        <DomainHeading {...{ environment, state, isLinked }} />
      </div>
      {canChange && !isEditing && (
        <div className="actions">
          <Button
            ref={editButton}
            look="quiet"
            onClick={() => setEditing(true)}
            aria-label={editLabel(domain, environment)}
          >
            {domain === null ? 'Add a domain' : 'Change'}
          </Button>
          {domain !== null && <RemoveDomain {...{ environment, domain }} onRemoved={adopt} />}
        </div>
      )}
      <div className="stack row-more">
        {state && !state.auto_subdomain && (
          <SwitchedOff environment={environment} canChange={canChange} onBack={adopt} />
        )}
        {isEditing && <DomainForm {...{ environment, domain }} onSaved={saved} onCancel={close} />}
        <ErrorNotice error={error} />
        {!state && error === null && <CheckingDomain />}
        {state && state.domain !== null && (
          <DomainDetails environment={environment} state={state} canChange={canChange} onChanged={adopt} />
        )}
      </div>
    </li>
  );
}

function editLabel(domain: string | null, { name }: Environment): string {
  return domain === null ? showMarks(`Add a domain to ${name}`) : `Change ${domain}`;
}

interface DomainHeadingProps extends Required<EnvironmentRowProps> {
  state: DomainState | undefined;
}

function DomainHeading({ environment, state, isLinked }: DomainHeadingProps) {
  const { id, url, custom_domain, live_deployment_id } = environment;
  const address = url.replace(/^https?:\/\//, '');
  const domain = state ? state.domain : custom_domain;
  const shown = <Name of={environment.name} />;
  const way = isLinked ? <Link href={`/environments/${id}`}>{shown}</Link> : shown;
  return (
    <>
      <strong className="break">{domain === null ? way : <DomainName domain={domain} state={state} />}</strong>{' '}
      {state && <DomainBadge state={state} />}
      <p className="meta break">
        {domain !== null && <>{way} · </>}
        {state?.auto_subdomain === false ? (
          <>{address} is switched off</>
        ) : live_deployment_id === null ? (
          <>{address}, once something is served</>
        ) : (
          <OutLink url={url} shown={address} />
        )}
      </p>
    </>
  );
}

/** A wildcard is no address, and one that is not served yet leads nowhere. */
function DomainName({ domain, state }: { domain: string; state: DomainState | undefined }) {
  if (!state || standingOf(state) !== 'served' || state.url === null) return readableHostname(domain);
  return <OutLink url={state.url} shown={readableHostname(domain)} />;
}

function OutLink({ url, shown }: { url: string; shown: string }) {
  return (
    <a className="url-out" href={url} target="_blank" rel="noreferrer">
      {shown}
      <Icon name="out" />
      <span className="visually-hidden"> (opens a new tab)</span>
    </a>
  );
}
