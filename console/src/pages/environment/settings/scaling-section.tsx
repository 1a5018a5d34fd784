import { planLimits } from '@lilac/contract/plans';
import { Refusal } from '../../../lib/refusal.ts';
import { Link } from '../../../lib/router.tsx';
import { useEdited } from '../../../lib/use-edited.ts';
import { Field } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';
import { Name } from '../../../parts/name.tsx';

const MOST_WARM = 5;

export function ScalingSection({ environment, application, reload }: TabProps) {
  const { organisation } = useMember();
  const { maxInstances: cap } = planLimits[organisation.plan];
  const { values, changes, isChanged, edit, settle } = useEdited({
    min: String(environment.min_instances),
    max: String(environment.max_instances),
  });
  const save = async () => {
    const { min, max } = values;
    if (Number(min) > Number(max)) {
      throw new Refusal(`“At least” (${min}) is more than “At most” (${max}). Lower the one or raise the other.`);
    }
    const range = {
      ...(changes.min !== undefined && { minInstances: Number(min) }),
      ...(changes.max !== undefined && { maxInstances: Number(max) }),
    };
    const body = { targetOrganisationId: organisation.id, environmentId: environment.id, ...range };
    if (Object.keys(range).length > 0) await browserSession.call('environments.scale', { body });
    settle(changes);
    reload();
  };
  return (
    <Section
      title="Scaling"
      about={
        <>
          How many instances run, depending on traffic. Changes take effect immediately; the{' '}
          <Link href={`/environments/${environment.id}`}>overview</Link> shows how many run and how many are wanted.
        </>
      }
    >
      <Form
        label="Scaling"
        submit="Save"
        submitLook="plain"
        onSubmit={save}
        done="Saved"
        unsaved={isChanged && 'What you changed under “Scaling” is not saved.'}
      >
        <div className="columns">
          <Field
            label="At least"
            name="min"
            type="number"
            min={0}
            max={Math.min(MOST_WARM, cap)}
            value={values.min}
            onChange={(event) => edit({ min: event.target.value })}
            hint="0 lets it sleep when idle; the next visitor waits for it to start. Up to 5 are kept warm."
            required
          />
          <Field
            label="At most"
            name="max"
            type="number"
            min={1}
            max={Math.max(cap, environment.max_instances)}
            value={values.max}
            onChange={(event) => edit({ max: event.target.value })}
            hint={`The plan ${organisation.plan} allows ${cap}.`}
            required
          />
        </div>
      </Form>
      <p className="meta">
        Another instance starts when one has {application.concurrency} requests at a time, or when they use{' '}
        {application.cpu_target}% of their CPU. Both are those of{' '}
        <Link href={`/apps/${application.id}`}>
          <Name of={application.name} />
        </Link>
        .
      </p>
    </Section>
  );
}
