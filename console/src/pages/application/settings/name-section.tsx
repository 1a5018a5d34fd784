import { useEdited } from '../../../lib/use-edited.ts';
import { Field } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { SettingsProps } from './application-settings.tsx';

export function NameSection({ application: { id, name }, onChanged }: SettingsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const { values, changes, isChanged, edit, settle } = useEdited({ name });
  const rename = async () => {
    await browserSession.call('applications.rename', {
      body: { targetOrganisationId, applicationId: id, name: values.name },
    });
    settle(changes);
    onChanged();
  };
  return (
    <Section
      title="Name"
      about="Its addresses have the name in them: with another name they change, and the old ones stop."
    >
      <Form
        label="Name"
        submit="Rename"
        submitLook="plain"
        onSubmit={rename}
        done="Saved"
        unsaved={isChanged && 'The new name is not saved.'}
      >
        <Field
          label="Name"
          isTitled
          name="name"
          value={values.name}
          onChange={(event) => edit({ name: event.target.value })}
          autoComplete="off"
          maxLength={100}
          required
        />
      </Form>
    </Section>
  );
}
