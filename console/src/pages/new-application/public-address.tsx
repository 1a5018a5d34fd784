import { useState } from 'react';
import { readRepositoryAddress, type RepositoryHost } from '../../lib/repository-hosts.ts';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import type { ChosenRepository } from './source-picker.tsx';

interface PublicAddressProps {
  hosts: readonly RepositoryHost[];
  onPick: (chosen: ChosenRepository) => void;
}

/** Looks whether it is there before anything else is asked. */
export function PublicAddress({ hosts, onPick }: PublicAddressProps) {
  const targetOrganisationId = useMember().organisation.id;
  const [problem, setProblem] = useState<string | null>(null);
  const look = async (values: FormValues) => {
    const place = readRepositoryAddress(values['address']!, hosts);
    setProblem(typeof place === 'string' ? place : null);
    if (typeof place === 'string') return;
    const branches = await browserSession.call('applications.public-branches', {
      body: { targetOrganisationId, vcsRepoUrl: place.url },
    });
    const usual = ['main', 'master'].find((name) => branches.some((branch) => branch.name === name));
    onPick({ place, isLinked: false, isPrivate: false, defaultBranch: usual ?? branches[0]?.name ?? null });
  };
  return (
    <Form label="Public repository" submit="Continue" submitLook="plain" onSubmit={look}>
      <Field
        label="Address"
        name="address"
        placeholder={`${hosts[0]?.url ?? 'https://…'}/owner/name`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        longest={2048}
        required
      />
      {problem && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
    </Form>
  );
}
