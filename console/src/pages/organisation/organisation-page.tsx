import { type Plan, planLimits, plans } from '@lilac/contract/plans';
import { useEdited } from '../../lib/use-edited.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { AskingForm } from '../../parts/asking-form.tsx';
import { Field, SelectField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { TypedConfirmButton } from '../../parts/typed-confirm-button.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { whileHere } from '../../shell/lead-on.ts';
import { useIsOwner, useMember, usePermission } from '../../shell/member-context.ts';
import { chooseOrganisation } from '../../shell/organisation-choice.ts';
import { askOfSmallerPlan } from './smaller-plan.ts';

export function OrganisationPage() {
  const { organisation } = useMember();
  const canRename = usePermission('update:organisations');
  const isOwner = useIsOwner();
  return (
    <Page title="Organisation" about={`You are ${organisation.role} of ${organisation.name}.`}>
      {canRename && <NameSection />}
      <PlanSection />
      {isOwner && <DeleteSection />}
    </Page>
  );
}

function NameSection() {
  const { organisation, reloadProfile } = useMember();
  const { values, changes, isChanged, edit, settle } = useEdited({ name: organisation.name });
  const rename = async () => {
    await browserSession.call('organisations.update', { body: { targetOrganisationId: organisation.id, ...values } });
    settle(changes);
    reloadProfile();
  };
  return (
    <Section title="Name">
      <Form
        label="Rename the organisation"
        submit="Rename"
        submitLook="plain"
        onSubmit={rename}
        done="Saved"
        unsaved={isChanged && 'The new name is not saved.'}
      >
        <Field
          label="Name"
          isTitled
          name="name"
          value={values.name}
          onChange={(event) => edit({ name: event.target.value })}
          maxLength={100}
          required
        />
      </Form>
    </Section>
  );
}

function PlanSection() {
  const { organisation, reloadProfile } = useMember();
  const isOwner = useIsOwner();
  const { values, changes, isChanged, edit, settle } = useEdited({ plan: organisation.plan });
  const change = async () => {
    await browserSession.call('organisations.plan', { body: { targetOrganisationId: organisation.id, ...values } });
    settle(changes);
    reloadProfile();
  };
  return (
    <Section title="Plan" about={isOwner ? 'API keys stop working on the free plan.' : 'Owners can change it.'}>
      {isOwner ? (
        <AskingForm
          label="Change the plan"
          submit="Change plan"
          submitLook="plain"
          questionOf={() => askOfSmallerPlan(organisation.plan, values.plan)}
          onSubmit={change}
          done="Saved"
          unsaved={isChanged && 'The plan that you chose is not saved.'}
        >
          <SelectField
            label="Plan"
            isTitled
            name="plan"
            value={values.plan}
            onChange={(event) => edit({ plan: event.target.value as Plan })}
          >
            {plans.map((plan) => (
              <option key={plan} value={plan}>
                {describePlan(plan)}
              </option>
            ))}
          </SelectField>
        </AskingForm>
      ) : (
        <p>{describePlan(organisation.plan)}</p>
      )}
    </Section>
  );
}

function describePlan(plan: Plan): string {
  const { apiKeys, maxInstances } = planLimits[plan];
  return `${plan}: ${apiKeys ? 'API keys' : 'no API keys'}, up to ${maxInstances} instances`;
}

function DeleteSection() {
  const { organisation, profile, reloadProfile } = useMember();
  const remove = async () => {
    const leadOn = whileHere({ endsPage: true });
    await browserSession.call('organisations.delete', { body: { targetOrganisationId: organisation.id } });
    const next = profile.organisations.find(({ id }) => id !== organisation.id);
    // Nothing more is asked of the one that is gone.
    const said = `The organisation ${showMarks(organisation.name)} was deleted.`;
    if (next && leadOn('/', { said, shows: false })) chooseOrganisation(next.id);
    reloadProfile();
  };
  return (
    <Section title="Danger zone" isDanger about="It can be deleted once it holds no applications and no databases.">
      <div className="actions">
        <TypedConfirmButton
          action="Delete"
          name={organisation.name}
          consequence="Its members lose it at once. Its invitations, folders, API keys, links to repository hosts and activity are gone for good; nobody can bring them back."
          onConfirm={remove}
        />
      </div>
    </Section>
  );
}
