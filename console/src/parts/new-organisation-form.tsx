import { showMarks } from '../lib/visible-name.ts';
import { browserSession } from '../session/browser-session.ts';
import { whileHere } from '../shell/lead-on.ts';
import { Field } from './field.tsx';
import { Form, type FormValues } from './form.tsx';

interface NewOrganisationFormProps {
  /** `goIn` leads to what is in it, whoever is still there to go; it answers whether they are. */
  onCreated: (id: string, goIn: () => boolean) => Promise<void>;
}

export function NewOrganisationForm({ onCreated }: NewOrganisationFormProps) {
  const create = async (values: FormValues) => {
    const leadOn = whileHere();
    const name = values['name']!;
    const { id } = await browserSession.call('organisations.create', { body: { name } });
    const said = `The organisation ${showMarks(name)} was created. You can switch to it.`;
    await onCreated(id, () => leadOn('/', { said, shows: false }));
  };
  return (
    <Form label="New organisation" submit="Create organisation" onSubmit={create}>
      <Field label="Name" name="name" autoComplete="organization" maxLength={100} required autoFocus />
    </Form>
  );
}
