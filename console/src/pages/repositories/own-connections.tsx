import { useAction } from '../../lib/use-action.ts';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import type { Connected } from './connections.tsx';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

interface OwnConnectionsProps {
  orgId: string;
  provider: Connected;
  linked: readonly { id: string }[];
  onLinked: () => void;
}

/** Connections of whoever looks that this organisation does not use. */
export function OwnConnections({ orgId, provider, linked, onLinked }: OwnConnectionsProps) {
  const own = useCall(`${provider}.own-connections`, {});
  const link = useAction(async (connectionId: string) => {
    await browserSession.call(`${provider}.link-connection`, { params: { orgId }, body: { connectionId } });
    onLinked();
  });
  const forget = async (connectionId: string) => {
    await browserSession.call(`${provider}.disconnect`, { body: { connectionId } });
    own.reload();
  };
  const others = own.data?.filter(({ id }) => !linked.some((each) => each.id === id)) ?? [];
  if (others.length === 0) return null;
  return (
    <>
      <p className="about">Connections of yours that this organisation does not use:</p>
      <ul className="rows" aria-label="Your connections">
        {others.map(({ id, accountLogin }) => (
          <li key={id} className="row">
            <strong className="row-main break">
              <Name of={accountLogin} />
            </strong>
            <Button
              isBusy={link.isBusy}
              onClick={() => void link.run(id)}
              aria-label={showMarks(`Link ${accountLogin}`)}
            >
              Link
            </Button>
            <ConfirmButton
              action="Forget"
              subject={accountLogin}
              question={`Forget ${accountLogin}?`}
              consequence="Every organisation that uses this connection loses it."
              onConfirm={() => forget(id)}
            />
          </li>
        ))}
      </ul>
      <ErrorNotice error={link.error} />
    </>
  );
}
