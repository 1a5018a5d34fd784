import { forgetUnsaved } from '../../../lib/leaving.ts';
import { navigate } from '../../../lib/router.tsx';
import { Section } from '../../../parts/section.tsx';
import { TypedConfirmButton } from '../../../parts/typed-confirm-button.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { Application } from '../application-page.tsx';

export function DeleteSection({ application: { id, name, environments } }: { application: Application }) {
  const targetOrganisationId = useMember().organisation.id;
  const count = environments.length;
  const remove = async () => {
    await browserSession.call('applications.delete', { body: { targetOrganisationId, applicationId: id } });
    forgetUnsaved();
    navigate('/');
  };
  return (
    <Section
      title="Danger zone"
      isDanger
      about="Deleting it takes every environment with it. Its addresses stop at once."
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
