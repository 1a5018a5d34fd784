import { deploySample } from '../../lib/sample-app.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { whileHere } from '../../shell/lead-on.ts';
import { useMember } from '../../shell/member-context.ts';

export function FromSample() {
  const { organisation } = useMember();
  const { run, isBusy, error } = useAction(async () => {
    const leadOn = whileHere();
    leadOn(await deploySample(organisation.id), { said: 'The sample is being deployed.', shows: true });
  });
  return (
    <Section title="A page of three files" about="Made here in your browser, sent as an archive, live a moment later.">
      <ErrorNotice error={error} />
      <div className="actions">
        <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
          {isBusy ? 'Deploying…' : 'Deploy the sample'}
        </Button>
      </div>
    </Section>
  );
}
