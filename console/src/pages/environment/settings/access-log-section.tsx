import { Link } from '../../../lib/router.tsx';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';

export function AccessLogSection({ environment: { id, access_log }, reload }: TabProps) {
  const targetOrganisationId = useMember().organisation.id;
  const change = useAction(async () => {
    const body = { targetOrganisationId, environmentId: id, enabled: !access_log };
    await browserSession.call('environments.access-log', { body });
    reload();
  });
  return (
    <Section
      title="Access log"
      about={
        <>
          A line in the <Link href={`/environments/${id}/logs`}>log</Link> for every request: method, path, status and
          duration. Takes effect at once.
        </>
      }
    >
      <ErrorNotice error={change.error} />
      <div className="actions">
        <Button isBusy={change.isBusy} onClick={() => void change.run()}>
          {access_log ? 'Switch off the access log' : 'Switch on the access log'}
        </Button>
        <span className="meta" role="status">
          {access_log ? 'It is on.' : 'It is off.'}
        </span>
      </div>
    </Section>
  );
}
