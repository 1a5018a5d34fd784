import { useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import type { DomainState, Environment } from './domain-state.ts';
import { Name } from '../../parts/name.tsx';

interface RemoveDomainProps {
  environment: Environment;
  domain: string;
  onRemoved: (state: DomainState) => void;
}

export function RemoveDomain({ environment, domain, onRemoved }: RemoveDomainProps) {
  const { organisation } = useMember();
  const [isKept, setKept] = useState(true);
  const remove = async () => {
    const body = {
      targetOrganisationId: organisation.id,
      environmentId: environment.id,
      revertToAutoSubdomain: isKept,
    };
    onRemoved(await browserSession.call('applications.remove-domain', { body }));
  };
  return (
    <ConfirmButton
      action="Remove"
      subject={domain}
      question={`Remove ${domain}?`}
      consequence="It stops at once, and its certificate is kept for you as long as it is good. You can add it again as long as its DNS records are there."
      onConfirm={remove}
    >
      <label className="check">
        <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.target.checked)} />
        <span>
          Keep the generated address <span className="break">{environment.url.replace(/^https?:\/\//, '')}</span>
        </span>
      </label>
      {!isKept && (
        <p className="about">
          <Name of={environment.name} /> is then reached at no address until it has a domain again.
        </p>
      )}
    </ConfirmButton>
  );
}
