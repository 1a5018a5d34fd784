import { navigate } from '../../lib/router.tsx';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useMember } from '../../shell/member-context.ts';

/** One press: the site is made here in the browser. */
export function SampleButton() {
  const targetOrganisationId = useMember().organisation.id;
  const deploy = useAction(async () => {
    const { deploySample } = await import('../../lib/sample-app.ts');
    navigate(await deploySample(targetOrganisationId));
  });
  return (
    <>
      <div className="actions">
        <Button look="primary" isBusy={deploy.isBusy} onClick={() => void deploy.run()}>
          Deploy a sample
        </Button>
        <span className="meta">A small site, to see how it goes. You can delete it afterwards.</span>
      </div>
      <ErrorNotice error={deploy.error} />
    </>
  );
}
