import type { OutputOf } from '../../lib/api-types.ts';
import { products, type RepositoryHost } from '../../lib/repository-hosts.ts';
import { useCall } from '../../lib/use-call.ts';
import { useLinkedRepositories } from '../../lib/use-linked-repositories.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ListLimits } from '../../parts/list-limits.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Time } from '../../parts/time.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { LinkButton } from './link-button.tsx';
import { OwnConnections } from './own-connections.tsx';
import { type Linking, useLinking } from './use-linking.ts';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

export type Connected = 'provider2' | 'provider3';
type Connection = OutputOf<'provider2.connections'>[number];

/** The second and third host: what people have allowed, linked to the organisation. */
export function Connections({ host, provider }: { host: RepositoryHost; provider: Connected }) {
  const orgId = useMember().organisation.id;
  const connections = useCall(`${provider}.connections`, { params: { orgId } });
  const repositories = useLinkedRepositories(provider);
  const mayLink = usePermission('update:projects');
  const reload = () => {
    connections.reload();
    repositories.reload();
  };
  const linking = useLinking(host.id, reload);
  const count = repositories.data?.length;
  return (
    <Loading of={connections}>
      {(linked) => (
        <>
          {linked.length === 0 && <p className="about">No account of {products[host.id]} is linked yet.</p>}
          {linked.length > 0 && count !== undefined && (
            <p className="about">{`${count} repositor${count === 1 ? 'y is' : 'ies are'} reached.`}</p>
          )}
          <ListLimits headers={repositories.headers} />
          <ul className="rows" aria-label={`Linked accounts of ${products[host.id]}`}>
            {linked.map((each) => (
              <ConnectionRow
                key={each.id}
                {...{ orgId, provider, mayLink, linking, connection: each }}
                onChanged={reload}
              />
            ))}
          </ul>
          {mayLink && (
            <>
              <OwnConnections {...{ orgId, provider, linked }} onLinked={reload} />
              <LinkButton
                {...{ host, linking }}
                isFirst={linked.length === 0}
                label={linked.length === 0 ? 'Connect an account' : 'Connect another account'}
              />
            </>
          )}
        </>
      )}
    </Loading>
  );
}

interface ConnectionRowProps {
  orgId: string;
  provider: Connected;
  mayLink: boolean;
  linking: Linking;
  connection: Connection;
  onChanged: () => void;
}

function ConnectionRow({ orgId, provider, mayLink, linking, connection, onChanged }: ConnectionRowProps) {
  const { id, accountLogin, ownerEmail, linkedAt, trouble } = connection;
  // Whoever else signs in at the host makes a connection of their own, and this one stays as it is.
  const isOwn = useMember().profile.email === ownerEmail;
  const unlink = async () => {
    await browserSession.call(`${provider}.unlink-connection`, { params: { orgId, id } });
    onChanged();
  };
  return (
    <li className="row">
      <div className="row-main">
        <strong className="break">
          <Name of={accountLogin} />
        </strong>{' '}
        {trouble && <Badge tone="bad">not taken any more</Badge>}
        <p className="meta break">
          of <Name of={ownerEmail} /> · linked <Time at={linkedAt} />
        </p>
      </div>
      {trouble && isOwn && mayLink && linking.journey.step !== 'away' && (
        <Button
          isBusy={linking.isBusy}
          onClick={linking.begin}
          aria-label={showMarks(`Connect again: ${accountLogin}`)}
        >
          Connect again
        </Button>
      )}
      {mayLink && (
        <ConfirmButton
          action="Unlink"
          subject={accountLogin}
          question={`Unlink ${accountLogin}?`}
          consequence="Applications from repositories that only it reaches cannot be built any more. What runs goes on, and the connection stays its owner's."
          onConfirm={unlink}
        />
      )}
      {trouble && (
        <p className="row-more notice notice-error">
          {showMarks(trouble)}
          {!isOwn && (
            <>
              {' '}
              It is for <Name of={ownerEmail} /> to do that.
            </>
          )}
        </p>
      )}
    </li>
  );
}
