import { AskingForm } from '../../../parts/asking-form.tsx';
import { Field } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { readTier } from '../../databases/new-database.ts';
import { TierChoice } from '../../databases/tier-choice.tsx';
import { useTiers } from '../../databases/use-tiers.ts';
import type { SettingsProps } from './settings-tab.tsx';
import { useUpdate } from './use-update.ts';

export function SizeSection(props: SettingsProps) {
  const { name, tier, storage_gb, ha_enabled } = props.database;
  const tiers = useTiers();
  const update = useUpdate(props);
  const resize = (values: FormValues) => {
    const wanted = readTier(values);
    return update({ ...(wanted !== tier && { tier: wanted }) });
  };
  const pause = ha_enabled ? 'for as long as a failover takes' : 'for some seconds';
  return (
    <Section title="Size" about="Storage grows at once, without a pause. It never shrinks.">
      <AskingForm
        label="Storage"
        submit="Grow"
        submitLook="plain"
        questionOf={({ storageGb }) => ({
          title: `Grow the storage of ${name} to ${Number(storageGb)} GB?`,
          consequence: `It has ${storage_gb} GB now. Storage never shrinks, so this cannot be taken back: a smaller one is a new database, into which a dump of this one is imported.`,
          look: 'primary',
        })}
        onSubmit={({ storageGb }) => update({ storageGb: Number(storageGb) })}
        done="Saved"
      >
        <Field
          key={storage_gb}
          label="Storage (GB)"
          name="storageGb"
          type="number"
          min={storage_gb + 1}
          max={65_536}
          defaultValue={storage_gb + 1}
          hint={`It has ${storage_gb} GB now.`}
          required
        />
      </AskingForm>
      {tiers.length > 0 && (
        <div className="wide-form">
          <Form label="Size" submit="Change the size" submitLook="plain" onSubmit={resize} done="Saved">
            <TierChoice key={tier} tiers={tiers} current={tier} />
            <p className="notice notice-warning">
              Another size restarts the server: clients cannot connect {pause}, and open connections break.
            </p>
          </Form>
        </div>
      )}
    </Section>
  );
}
