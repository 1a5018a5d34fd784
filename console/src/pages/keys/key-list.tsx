import type { OutputOf } from '../../lib/api-types.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Time } from '../../parts/time.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { Name } from '../../parts/name.tsx';

type ApiKey = OutputOf<'api-keys.list'>[number];

export function KeyList({ keys, canChange, onRevoked }: { keys: ApiKey[]; canChange: boolean; onRevoked: () => void }) {
  if (keys.length === 0) return <p className="about">There are no keys yet.</p>;
  return (
    <ul className="rows">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} canChange={canChange} onRevoked={onRevoked} />
      ))}
    </ul>
  );
}

function KeyRow({ apiKey, canChange, onRevoked }: { apiKey: ApiKey; canChange: boolean; onRevoked: () => void }) {
  const { organisation } = useMember();
  const revoke = async () => {
    const body = { targetOrganisationId: organisation.id, keyId: apiKey.id };
    await browserSession.call('api-keys.revoke', { body });
    onRevoked();
  };
  return (
    <li className={apiKey.revoked_at ? 'row row-spent' : 'row'}>
      <div className="row-main">
        <strong>
          <Name of={apiKey.name} />
        </strong>{' '}
        <Badge>{apiKey.role}</Badge> {apiKey.revoked_at && <Badge tone="bad">revoked</Badge>}
        <p className="meta">
          <code>{apiKey.prefix}</code> · made <Time at={apiKey.created_at} /> · <Use apiKey={apiKey} />
        </p>
      </div>
      {canChange && !apiKey.revoked_at && (
        <ConfirmButton
          action="Revoke"
          subject={apiKey.name}
          question={`Revoke “${apiKey.name}”?`}
          consequence="Whatever uses it is refused from the next request on. This cannot be undone."
          look="danger"
          onConfirm={revoke}
        />
      )}
    </li>
  );
}

function Use({ apiKey: { last_used_at, expires_at } }: { apiKey: ApiKey }) {
  return (
    <>
      {last_used_at ? (
        <>
          used <Time at={last_used_at} />
        </>
      ) : (
        'never used'
      )}
      {expires_at && (
        <>
          {' '}
          · expires <Time at={expires_at} />
        </>
      )}
    </>
  );
}
