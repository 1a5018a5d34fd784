import { Link } from '../../../lib/router.tsx';
import { showMarks } from '../../../lib/visible-name.ts';
import { Section } from '../../../parts/section.tsx';
import { TypedConfirmButton } from '../../../parts/typed-confirm-button.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { whileHere } from '../../../shell/lead-on.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';
import { Name } from '../../../parts/name.tsx';

export function DeleteSection({ environment: { id, name, is_production }, application }: TabProps) {
  const targetOrganisationId = useMember().organisation.id;
  const remove = async () => {
    const leadOn = whileHere({ endsPage: true });
    await browserSession.call('environments.delete', { body: { targetOrganisationId, environmentId: id } });
    leadOn(`/apps/${application.id}`, { said: `The environment ${showMarks(name)} was deleted.`, shows: false });
  };
  if (is_production) {
    return (
      <Section title="Delete">
        <p className="about">
          Production can only be deleted together with its application, in the{' '}
          <Link href={`/apps/${application.id}/settings`}>
            settings of <Name of={application.name} />
          </Link>
          .
        </p>
      </Section>
    );
  }
  return (
    <Section title="Danger zone" isDanger about="Deleting it stops its address at once.">
      <div className="actions">
        <TypedConfirmButton
          action="Delete"
          name={name}
          consequence="It goes with its deployments, its variables, its domain and its log. This cannot be undone."
          onConfirm={remove}
        />
      </div>
    </Section>
  );
}
