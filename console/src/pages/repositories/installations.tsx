import type { OutputOf } from '../../lib/api-types.ts';
import { products, type RepositoryHost } from '../../lib/repository-hosts.ts';
import { useCall } from '../../lib/use-call.ts';
import { type LinkedRepository, useLinkedRepositories } from '../../lib/use-linked-repositories.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ListLimits } from '../../parts/list-limits.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Time } from '../../parts/time.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { LinkButton } from './link-button.tsx';
import { OtherInstallations } from './other-installations.tsx';
import { SyncButton } from './sync-button.tsx';
import { useLinking } from './use-linking.ts';
import { Name } from '../../parts/name.tsx';

type Installation = OutputOf<'vcs-app.organisation-installations'>[number];

/** The first host, where the platform is an app that accounts install. */
export function Installations({ host }: { host: RepositoryHost }) {
  const orgId = useMember().organisation.id;
  const installations = useCall('vcs-app.organisation-installations', { params: { orgId } });
  const repositories = useLinkedRepositories('provider1');
  const mayLink = usePermission('update:projects');
  const reload = () => {
    installations.reload();
    repositories.reload();
  };
  const linking = useLinking(host.id, reload);
  return (
    <Loading of={installations}>
      {(linked) => (
        <>
          {linked.length === 0 && <p className="about">No account of {products[host.id]} is linked yet.</p>}
          <ul className="rows" aria-label={`Linked accounts of ${products[host.id]}`}>
            {linked.map((each) => (
              <InstallationRow
                key={each.installationId}
                {...{ orgId, mayLink, installation: each, repositories: repositories.data ?? null }}
                onChanged={reload}
              />
            ))}
          </ul>
          <ListLimits headers={repositories.headers} />
          {mayLink && (
            <>
              <OtherInstallations {...{ orgId, linked }} onLinked={reload} />
              <LinkButton
                {...{ host, linking }}
                isFirst={linked.length === 0}
                label={linked.length === 0 ? 'Link an account' : 'Link another account'}
              >
                {linked.length > 0 && <SyncButton orgId={orgId} onSynced={reload} />}
              </LinkButton>
            </>
          )}
        </>
      )}
    </Loading>
  );
}

interface InstallationRowProps {
  orgId: string;
  mayLink: boolean;
  installation: Installation;
  repositories: readonly LinkedRepository[] | null;
  onChanged: () => void;
}

function InstallationRow({ orgId, mayLink, installation, repositories, onChanged }: InstallationRowProps) {
  const { installationId, accountLogin, suspended, url, linkedAt, repositorySelection } = installation;
  const count = repositories?.filter(({ full_name }) => full_name.startsWith(`${accountLogin}/`)).length;
  const unlink = async () => {
    await browserSession.call('vcs-app.unlink-installation', { params: { orgId, installId: installationId } });
    onChanged();
  };
  return (
    <li className="row">
      <div className="row-main">
        <strong className="break">
          <Name of={accountLogin} />
        </strong>{' '}
        {suspended && <Badge tone="warning">suspended there</Badge>}
        <p className="meta">
          {count !== undefined && `${count} repositor${count === 1 ? 'y' : 'ies'} · `}
          {repositorySelection === 'all' ? 'all of the account' : 'those that were granted'} · linked{' '}
          <Time at={linkedAt} />
        </p>
      </div>
      <a href={url} target="_blank" rel="noopener noreferrer">
        Settings at the host
      </a>
      {mayLink && (
        <ConfirmButton
          action="Unlink"
          subject={accountLogin}
          question={`Unlink ${accountLogin}?`}
          consequence="Applications from its private repositories cannot be built any more, and pushes are not heard. What runs goes on. At the host the app stays."
          onConfirm={unlink}
        />
      )}
    </li>
  );
}
