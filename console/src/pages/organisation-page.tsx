import { type Plan, planLimits, plans } from '@lilac/contract/plans';
import { navigate } from '../lib/router.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { Form, type FormValues } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { TypedConfirmButton } from '../parts/typed-confirm-button.tsx';
import { browserSession } from '../session/browser-session.ts';
import { useIsOwner, useMember, usePermission } from '../shell/member-context.ts';

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
  const rename = async ({ name }: FormValues) => {
    await browserSession.call('organisations.update', {
      body: { targetOrganisationId: organisation.id, name: name! },
    });
    reloadProfile();
  };
  return (
    <Section title="Name">
      <Form label="Rename the organisation" submit="Rename" submitLook="plain" onSubmit={rename} done="Saved.">
        <Field label="Name" isTitled name="name" defaultValue={organisation.name} maxLength={100} required />
      </Form>
    </Section>
  );
}

function PlanSection() {
  const { organisation, reloadProfile } = useMember();
  const isOwner = useIsOwner();
  const change = async ({ plan }: FormValues) => {
    await browserSession.call('organisations.plan', {
      body: { targetOrganisationId: organisation.id, plan: plan as Plan },
    });
    reloadProfile();
  };
  return (
    <Section title="Plan" about={isOwner ? 'API keys stop working on the free plan.' : 'Owners can change it.'}>
      {isOwner ? (
        <Form label="Change the plan" submit="Change plan" submitLook="plain" onSubmit={change} done="Saved.">
          <SelectField label="Plan" isTitled name="plan" defaultValue={organisation.plan}>
            {plans.map((plan) => (
              <option key={plan} value={plan}>
                {describePlan(plan)}
              </option>
            ))}
          </SelectField>
        </Form>
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
  const { organisation, reloadProfile } = useMember();
  const remove = async () => {
    await browserSession.call('organisations.delete', { body: { targetOrganisationId: organisation.id } });
    navigate('/');
    reloadProfile();
  };
  return (
    <Section title="Danger zone" isDanger about="It can be deleted once it holds no applications and no databases.">
      <div className="actions">
        <TypedConfirmButton
          action="Delete"
          name={organisation.name}
          consequence="Its members, invitations, folders and API keys are gone for good."
          onConfirm={remove}
        />
      </div>
    </Section>
  );
}
