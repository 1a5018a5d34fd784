import { useAction } from '../../lib/use-action.ts';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

interface OtherInstallationsProps {
  orgId: string;
  linked: readonly { installationId: number }[];
  onLinked: () => void;
}

/**
 * Where the app is installed already, for another organisation or from the host's own pages. Nothing while the host
 * does not say.
 */
export function OtherInstallations({ orgId, linked, onLinked }: OtherInstallationsProps) {
  const visible = useCall('vcs-app.installations', {});
  const link = useAction(async (installationId: number) => {
    await browserSession.call('vcs-app.link-installation', { params: { orgId }, body: { installationId } });
    onLinked();
  });
  const isLinked = (id: number) => linked.some(({ installationId }) => installationId === id);
  const others = visible.data?.filter(({ installationId, canLink }) => canLink && !isLinked(installationId)) ?? [];
  if (others.length === 0) return null;
  return (
    <>
      <p className="about">Installed at the host, and not linked here:</p>
      <ul className="rows" aria-label="Accounts to link">
        {others.map(({ installationId, accountLogin }) => (
          <li key={installationId} className="row">
            <strong className="row-main break">
              <Name of={accountLogin} />
            </strong>
            <Button
              isBusy={link.isBusy}
              onClick={() => void link.run(installationId)}
              aria-label={showMarks(`Link ${accountLogin}`)}
            >
              Link
            </Button>
          </li>
        ))}
      </ul>
      <ErrorNotice error={link.error} />
    </>
  );
}
