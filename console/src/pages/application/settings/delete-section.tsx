import { showMarks } from '../../../lib/visible-name.ts';
import { Section } from '../../../parts/section.tsx';
import { TypedConfirmButton } from '../../../parts/typed-confirm-button.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { whileHere } from '../../../shell/lead-on.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { Application } from '../application-page.tsx';

export function DeleteSection({ application: { id, name, environments } }: { application: Application }) {
  const targetOrganisationId = useMember().organisation.id;
  const count = environments.length;
  const remove = async () => {
    const leadOn = whileHere({ endsPage: true });
    await browserSession.call('applications.delete', { body: { targetOrganisationId, applicationId: id } });
    leadOn('/', { said: `The application ${showMarks(name)} was deleted.`, shows: false });
  };
  return (
    <Section
      title="Danger zone"
      isDanger
      about="Deletes all its environments too. Its addresses stop working immediately."
    >
      <div className="actions">
        <TypedConfirmButton
          action="Delete"
          name={name}
          consequence={`${count === 1 ? 'Its environment goes' : `Its ${count} environments go`} with it, with logs and variables. This cannot be undone.`}
          onConfirm={remove}
        />
      </div>
    </Section>
  );
}
