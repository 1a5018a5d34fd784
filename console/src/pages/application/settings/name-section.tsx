import { Field } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { SettingsProps } from './application-settings.tsx';

export function NameSection({ application: { id, name }, onChanged }: SettingsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const rename = async (values: FormValues) => {
    const body = { targetOrganisationId, applicationId: id, name: values['name']! };
    await browserSession.call('applications.rename', { body });
    onChanged();
  };
  return (
    <Section
      title="Name"
      about="Its addresses have the name in them: with another name they change, and the old ones stop."
    >
      <Form label="Name" submit="Rename" submitLook="plain" onSubmit={rename} done="Renamed">
        <Field label="Name" isTitled name="name" defaultValue={name} autoComplete="off" maxLength={100} required />
      </Form>
    </Section>
  );
}
