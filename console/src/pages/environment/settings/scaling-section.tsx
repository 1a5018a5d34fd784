import { planLimits } from '@lilac/contract/plans';
import { Refusal } from '../../../lib/refusal.ts';
import { Link } from '../../../lib/router.tsx';
import { Field } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';

const MOST_WARM = 5;

export function ScalingSection({ environment, application, reload }: TabProps) {
  const { organisation } = useMember();
  const { maxInstances: cap } = planLimits[organisation.plan];
  const save = async ({ min, max }: FormValues) => {
    const range = { minInstances: Number(min), maxInstances: Number(max) };
    if (range.minInstances > range.maxInstances) {
      throw new Refusal(`“At least” (${min}) is more than “At most” (${max}). Lower the one or raise the other.`);
    }
    const body = { targetOrganisationId: organisation.id, environmentId: environment.id, ...range };
    await browserSession.call('environments.scale', { body });
    reload();
  };
  return (
    <Section title="Scaling" about="Between how many instances it runs, as visitors come and go. Takes effect at once.">
      <Form label="Scaling" submit="Save" submitLook="plain" onSubmit={save} done="Saved">
        <div className="columns">
          <Field
            label="At least"
            name="min"
            type="number"
            min={0}
            max={Math.min(MOST_WARM, cap)}
            defaultValue={environment.min_instances}
            hint="0 lets it sleep while nobody comes; the next visitor waits for its start. Up to 5 are kept warm."
            required
          />
          <Field
            label="At most"
            name="max"
            type="number"
            min={1}
            max={Math.max(cap, environment.max_instances)}
            defaultValue={environment.max_instances}
            hint={`The plan ${organisation.plan} allows ${cap}.`}
            required
          />
        </div>
      </Form>
      <p className="meta">
        Another instance starts when one has {application.concurrency} requests at a time, or when they use{' '}
        {application.cpu_target}% of their CPU. Both are those of{' '}
        <Link href={`/apps/${application.id}`}>{application.name}</Link>.
      </p>
    </Section>
  );
}
