import { useCall } from '../../../lib/use-call.ts';
import { showMarks } from '../../../lib/visible-name.ts';
import { Section } from '../../../parts/section.tsx';
import { TypedConfirmButton } from '../../../parts/typed-confirm-button.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { whileHere } from '../../../shell/lead-on.ts';
import { forgetStatements } from '../query/query-memory.ts';
import { useAddressed } from '../use-addressed.ts';
import type { SettingsProps } from './settings-tab.tsx';

export function DangerSection({ database }: SettingsProps) {
  const addressed = useAddressed(database);
  const links = useCall('databases.links', { body: addressed }).data ?? [];
  const remove = async () => {
    const leadOn = whileHere({ endsPage: true });
    // Only what was said above the button is agreed to.
    await browserSession.call('databases.delete', { body: { ...addressed, force: links.length > 0 } });
    forgetStatements(database.id);
    leadOn('/databases', { said: `The database ${showMarks(database.name)} was deleted.`, shows: false });
  };
  return (
    <Section title="Danger zone" isDanger about="Permanently deletes all its data and backups.">
      {links.length > 0 && (
        <p className="notice notice-warning">
          {links.length === 1 ? 'One environment is' : `${links.length} environments are`} connected to it and would
          lose its address with the next release.
        </p>
      )}
      <div className="actions">
        <TypedConfirmButton
          action="Delete"
          name={database.name}
          consequence="Its data and all its backups are gone for good. Make a dump first if you may need them."
          onConfirm={remove}
        />
      </div>
    </Section>
  );
}
