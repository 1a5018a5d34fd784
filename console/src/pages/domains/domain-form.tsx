import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { showMarks } from '../../lib/visible-name.ts';
import type { DomainState, Environment } from './domain-state.ts';
import { tidyDomain } from './tidy-domain.ts';

interface DomainFormProps {
  environment: Environment;
  /** The one there is, where another one replaces it. */
  domain: string | null;
  onSaved: (state: DomainState) => void;
  onCancel: () => void;
}

export function DomainForm({ environment, domain, onSaved, onCancel }: DomainFormProps) {
  const { organisation } = useMember();
  const [typed, setTyped] = useState('');
  const name = tidyDomain(typed);
  const save = async () => {
    const address = { targetOrganisationId: organisation.id, environmentId: environment.id };
    setTyped(name);
    onSaved(
      domain
        ? await browserSession.call('applications.update-domain', { body: { ...address, newDomain: name } })
        : await browserSession.call('environments.add-domain', { body: { ...address, domain: name } }),
    );
  };
  return (
    <Form
      label={domain ? `Replace ${domain}` : `Add a domain to ${environment.name}`}
      submit={domain ? 'Replace' : 'Add'}
      submitLook={domain ? 'danger' : 'primary'}
      onSubmit={save}
      unsaved={name !== '' && `The domain ${showMarks(name)} is not added yet.`}
      actions={<Button onClick={onCancel}>Cancel</Button>}
    >
      <Field
        label={domain ? 'New domain' : 'Domain'}
        name="domain"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(name)}
        hint={
          domain
            ? `${domain} stops at once; the new one is served as soon as its records are found.`
            : 'Such as www.example.org, example.org, or *.example.org for all names below one.'
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        longest={2048}
        required
        autoFocus
      />
    </Form>
  );
}
