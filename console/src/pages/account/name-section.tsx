import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

export function NameSection() {
  const { profile, reloadProfile } = useMember();
  const save = async ({ firstName }: FormValues) => {
    await browserSession.call('profile.update', { body: { firstName: firstName! } });
    reloadProfile();
  };
  return (
    <Section title="Name">
      <Form label="Change your name" submit="Save" submitLook="plain" onSubmit={save} done="Saved.">
        <Field
          label="Your name"
          name="firstName"
          defaultValue={profile.first_name}
          autoComplete="given-name"
          maxLength={100}
          required
        />
      </Form>
    </Section>
  );
}
