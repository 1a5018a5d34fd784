import { useCall } from '../../../lib/use-call.ts';
import { useEdited } from '../../../lib/use-edited.ts';
import { Field, SelectField } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { PushOffer } from '../../application/push-offer.tsx';
import type { TabProps } from '../environment-page.tsx';
import { useUpdate } from './use-update.ts';
import { Name } from '../../../parts/name.tsx';

export function GeneralSection(props: TabProps) {
  const { environment, application } = props;
  const update = useUpdate(props);
  const regions = useCall('config.platform', {}).data?.regions ?? [];
  const { name, region, auto_deploy: autoDeploy } = environment;
  const { values, changes, isChanged, edit, settle } = useEdited({ name, region, autoDeploy });
  const save = async () => {
    if (isChanged) await update(changes);
    settle(changes);
  };
  return (
    <Section title="General">
      <Form
        label="General"
        submit="Save"
        submitLook="plain"
        onSubmit={save}
        done="Saved"
        unsaved={isChanged && 'What you changed under “General” is not saved.'}
      >
        <Field
          label="Name"
          name="name"
          value={values.name}
          onChange={(event) => edit({ name: event.target.value })}
          hint={
            environment.is_production
              ? 'The address of production follows the name of the application.'
              : 'The name is part of the address: renaming changes the address, and the old one stops working.'
          }
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          required
        />
        {regions.length > 1 && (
          <SelectField
            label="Region"
            name="region"
            value={values.region ?? ''}
            onChange={(event) => edit({ region: event.target.value || null })}
          >
            <option value="">the application’s</option>
            {regions.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
        {application.source_type === 'vcs' && (
          <PushOffer application={application} isOn={autoDeploy || values.autoDeploy}>
            <label className="check">
              <input
                type="checkbox"
                checked={values.autoDeploy}
                onChange={(event) => edit({ autoDeploy: event.target.checked })}
              />
              <span>
                Deploy on every push to {environment.vcs_branch ? <Name of={environment.vcs_branch} /> : 'its branch'}
              </span>
            </label>
          </PushOffer>
        )}
      </Form>
    </Section>
  );
}
