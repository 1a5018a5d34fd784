import { browserSession } from '../session/browser-session.ts';
import { Field } from './field.tsx';
import { Form, type FormValues } from './form.tsx';

export function NewOrganisationForm({ onCreated }: { onCreated: (id: string) => void }) {
  const create = async (values: FormValues) => {
    const { id } = await browserSession.call('organisations.create', { body: { name: values['name']! } });
    onCreated(id);
  };
  return (
    <Form label="New organisation" submit="Create organisation" onSubmit={create}>
      <Field label="Name" name="name" autoComplete="organization" maxLength={100} required />
    </Form>
  );
}
