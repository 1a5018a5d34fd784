import { useEdited } from '../../../lib/use-edited.ts';
import { Field } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { SettingsProps } from './application-settings.tsx';

/** Another repository; or the same address once more, where another repository has come to have it and is meant. */
export function RepositorySection({ application, onChanged }: SettingsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const { values, changes, isChanged, edit, settle } = useEdited({ address: application.vcs_repo_url ?? '' });
  const save = async () => {
    const body = { targetOrganisationId, applicationId: application.id, vcsRepoUrl: values.address.trim() };
    await browserSession.call('applications.update', { body });
    settle(changes);
    onChanged();
  };
  return (
    <Section
      title="Repository"
      about="What its environments are built from, from their next deployment on. Another one must have the branch of production too."
    >
      <Form
        label="Repository"
        submit="Use this repository"
        submitLook="plain"
        onSubmit={save}
        done="Saved. It counts from the next deployment on."
        unsaved={isChanged && 'The new repository is not saved.'}
      >
        <Field
          label="Address"
          name="address"
          value={values.address}
          onChange={(event) => edit({ address: event.target.value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          longest={2048}
          required
        />
      </Form>
    </Section>
  );
}
