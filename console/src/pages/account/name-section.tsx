import { useEdited } from '../../lib/use-edited.ts';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

export function NameSection() {
  const { profile, reloadProfile } = useMember();
  const { values, changes, isChanged, edit, settle } = useEdited({ firstName: profile.first_name });
  const save = async () => {
    await browserSession.call('profile.update', { body: { firstName: values.firstName } });
    settle(changes);
    reloadProfile();
  };
  return (
    <Section title="Name">
      <Form
        label="Change your name"
        submit="Save"
        submitLook="plain"
        onSubmit={save}
        done="Saved"
        unsaved={isChanged && 'Your new name is not saved.'}
      >
        <Field
          label="Your name"
          name="firstName"
          value={values.firstName}
          onChange={(event) => edit({ firstName: event.target.value })}
          autoComplete="given-name"
          maxLength={100}
          required
        />
      </Form>
    </Section>
  );
}
