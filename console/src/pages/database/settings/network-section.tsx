import { useEdited } from '../../../lib/use-edited.ts';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { NetworkFields } from '../../databases/network-fields.tsx';
import { networkChanges } from './network-changes.ts';
import type { SettingsProps } from './settings-tab.tsx';
import { useUpdate } from './use-update.ts';

export function NetworkSection(props: SettingsProps) {
  const { public_ip_enabled, authorized_networks } = props.database;
  const update = useUpdate(props);
  const { values, changes, isChanged, edit, settle } = useEdited({
    isPublic: public_ip_enabled,
    networks: authorized_networks.join('\n'),
  });
  const sent = networkChanges(props.database, values);
  const isSent = isChanged && Object.keys(sent).length > 0;
  const save = async () => {
    if (isSent) await update(sent);
    settle(changes);
  };
  return (
    <Section
      title="Who may connect"
      about="A change takes effect at once, and ends the sessions of those who may no longer come."
    >
      <Form
        label="Who may connect"
        submit="Save"
        submitLook="plain"
        onSubmit={save}
        done="Saved"
        unsaved={isSent && 'What you changed under “Who may connect” is not saved.'}
      >
        <NetworkFields draft={values} onEdit={edit} />
      </Form>
    </Section>
  );
}
