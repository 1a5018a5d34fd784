import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { whileHere } from '../../shell/lead-on.ts';
import { useMember } from '../../shell/member-context.ts';

/** One press: the site is made here in the browser. */
export function SampleButton() {
  const targetOrganisationId = useMember().organisation.id;
  const deploy = useAction(async () => {
    const leadOn = whileHere();
    const { deploySample } = await import('../../lib/sample-app.ts');
    leadOn(await deploySample(targetOrganisationId), { said: 'The sample is being deployed.', shows: true });
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
