import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { NetworkFields } from '../../databases/network-fields.tsx';
import { networkChanges } from './network-changes.ts';
import type { SettingsProps } from './settings-tab.tsx';
import { useUpdate } from './use-update.ts';

export function NetworkSection(props: SettingsProps) {
  const { public_ip_enabled, authorized_networks } = props.database;
  const update = useUpdate(props);
  const save = async (values: FormValues) => {
    const changes = networkChanges(props.database, values);
    if (Object.keys(changes).length > 0) await update(changes);
  };
  return (
    <Section
      title="Who may connect"
      about="A change takes effect at once, and ends the sessions of those who may no longer come."
    >
      <Form label="Who may connect" submit="Save" submitLook="plain" onSubmit={save} done="Saved">
        <NetworkFields
          // What is saved by others is shown, and what is sent is compared with what is shown.
          key={[public_ip_enabled, ...authorized_networks].join(' ')}
          isPublic={public_ip_enabled}
          networks={authorized_networks}
        />
      </Form>
    </Section>
  );
}
