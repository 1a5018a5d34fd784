import type { OutputOf } from '../../../lib/api-types.ts';
import { Link } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { Name } from '../../../parts/name.tsx';

interface LinkRowProps {
  link: OutputOf<'databases.links'>[number];
  database: Database;
  canChange: boolean;
  onChanged: () => void;
}

export function LinkRow({ link: { environment_id, variable }, database, canChange, onChanged }: LinkRowProps) {
  const addressed = useAddressed(database);
  const name = useEnvironmentName(environment_id);
  const disconnect = async () => {
    await browserSession.call('databases.disconnect', {
      body: { ...addressed, environmentId: environment_id, variable },
    });
    onChanged();
  };
  return (
    <li className="row">
      <div className="row-main">
        <Link href={`/environments/${encodeURIComponent(environment_id)}`} className="break">
          <Name of={name} />
        </Link>
        <p className="meta">
          in <code className="break">{variable}</code>
        </p>
      </div>
      {canChange && (
        <ConfirmButton
          action="Disconnect"
          subject={name}
          question={`Disconnect ${name}?`}
          consequence={`From its next release on, ${variable} is gone there. What runs now keeps it.`}
          look="danger"
          onConfirm={disconnect}
        />
      )}
    </li>
  );
}

/** "Shop / production"; the id until that is known. */
function useEnvironmentName(environmentId: string): string {
  const targetOrganisationId = useMember().organisation.id;
  const environment = useCall('environments.get', { body: { targetOrganisationId, environmentId } }).data;
  const body = environment && { targetOrganisationId, applicationId: environment.application_id };
  const application = useCall('applications.get', body ? { body } : null).data;
  return environment && application ? `${application.name} / ${environment.name}` : environmentId;
}
