import { MAX_STORAGE_GB } from '@lilac/contract/storage-limits';
import { Refusal } from '../../../lib/refusal.ts';
import { useEdited } from '../../../lib/use-edited.ts';
import { AskingForm } from '../../../parts/asking-form.tsx';
import { Field } from '../../../parts/field.tsx';
import { Section } from '../../../parts/section.tsx';
import type { Tier } from '../../databases/describe-database.ts';
import { draftTier, readTier } from '../../databases/new-database.ts';
import { TierChoice } from '../../databases/tier-choice.tsx';
import { useTiers } from '../../databases/use-tiers.ts';
import type { SettingsProps } from './settings-tab.tsx';
import { askOfSize, sayPause } from './size-question.ts';
import { useUpdate } from './use-update.ts';

export function SizeSection(props: SettingsProps) {
  const tiers = useTiers();
  return (
    <Section title="Size" about="Storage grows at once, without a pause. It never shrinks.">
      <StorageForm {...props} />
      {tiers.length > 0 && <TierForm {...props} tiers={tiers} />}
    </Section>
  );
}

function StorageForm(props: SettingsProps) {
  const { name, storage_gb } = props.database;
  const update = useUpdate(props);
  const { values, changes, isChanged, edit, settle } = useEdited({ storageGb: String(storage_gb + 1) });
  const grow = async () => {
    await update({ storageGb: Number(values.storageGb) });
    settle(changes);
  };
  return (
    <AskingForm
      label="Storage"
      submit="Grow"
      submitLook="plain"
      questionOf={({ storageGb }) => ({
        title: `Grow the storage of ${name} to ${Number(storageGb)} GB?`,
        consequence: `It has ${storage_gb} GB now. Storage never shrinks, so this cannot be taken back: a smaller one is a new database, into which a dump of this one is imported.`,
        look: 'primary',
      })}
      onSubmit={grow}
      done="Saved"
      unsaved={isChanged && 'Its storage has not grown to what you typed.'}
    >
      <Field
        label="Storage (GB)"
        name="storageGb"
        type="number"
        min={storage_gb + 1}
        max={MAX_STORAGE_GB}
        value={values.storageGb}
        onChange={(event) => edit({ storageGb: event.target.value })}
        hint={`It has ${storage_gb} GB now.`}
        required
      />
    </AskingForm>
  );
}

function TierForm({ tiers, ...props }: SettingsProps & { tiers: readonly Tier[] }) {
  const { database } = props;
  const update = useUpdate(props);
  const { values, changes, isChanged, edit, settle } = useEdited(draftTier(database.tier, tiers));
  const wanted = readTier(values);
  const isOther = isChanged && wanted !== database.tier;
  const resize = async () => {
    if (!isOther) throw new Refusal('It has this size already.');
    await update({ tier: wanted });
    settle(changes);
  };
  return (
    <div className="wide-form">
      <AskingForm
        label="Size"
        submit="Change the size"
        submitLook="plain"
        questionOf={() => (isOther ? askOfSize(database, wanted, tiers) : null)}
        onSubmit={resize}
        done="Saved"
        unsaved={isOther && 'The size that you chose is not saved.'}
      >
        <TierChoice tiers={tiers} current={database.tier} draft={values} onEdit={edit} />
        <p className="notice notice-warning">
          Another size restarts the server: clients cannot connect {sayPause(database)}, and open connections break.
        </p>
      </AskingForm>
    </div>
  );
}
