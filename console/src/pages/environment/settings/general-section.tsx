import { useCall } from '../../../lib/use-call.ts';
import { Field, SelectField } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { TabProps } from '../environment-page.tsx';
import { useUpdate } from './use-update.ts';

export function GeneralSection(props: TabProps) {
  const { environment, application } = props;
  const update = useUpdate(props);
  const regions = useCall('config.platform', {}).data?.regions ?? [];
  const isFromRepository = application.source_type === 'vcs';
  const save = ({ name, follow, region }: FormValues) =>
    update({
      name: name!,
      ...(isFromRepository && { autoDeploy: follow === 'yes' }),
      ...(region !== undefined && { region: region || null }),
    });
  return (
    <Section title="General">
      <Form label="General" submit="Save" submitLook="plain" onSubmit={save} done="Saved">
        <Field
          label="Name"
          name="name"
          defaultValue={environment.name}
          hint={
            environment.is_production
              ? 'The address of production follows the name of the application.'
              : 'The address has the name in it: with another name it changes, and the old one stops.'
          }
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          required
        />
        {regions.length > 1 && (
          <SelectField label="Region" name="region" defaultValue={environment.region ?? ''}>
            <option value="">the application’s</option>
            {regions.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
        {isFromRepository && (
          <label className="check">
            <input type="checkbox" name="follow" value="yes" defaultChecked={environment.auto_deploy} />
            <span>Deploy on every push to {environment.vcs_branch ?? 'its branch'}</span>
          </label>
        )}
      </Form>
    </Section>
  );
}
