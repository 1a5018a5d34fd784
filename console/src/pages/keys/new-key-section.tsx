import { type Plan, planLimits } from '@lilac/contract/plans';
import { useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { expiryChoices, expiryOf } from '../../lib/key-expiry.ts';
import { Link } from '../../lib/router.tsx';
import { useReturningFocus } from '../../lib/use-returning-focus.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Field, SelectField } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useIsOwner, useMember } from '../../shell/member-context.ts';

type CreatedKey = OutputOf<'api-keys.create'>;

const sending = {
  title: 'Leave while the key is made?',
  what: 'The key is being made and is shown only once, here. It is made all the same when you leave.',
  leaving: 'Leave and lose it',
};

/** Makes a key, and shows its secret the one time it can be shown. */
export function NewKeySection({ onCreated }: { onCreated: () => void }) {
  const { organisation } = useMember();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const focus = useReturningFocus();
  const create = async ({ name, role, expiry }: FormValues) => {
    const body = {
      targetOrganisationId: organisation.id,
      name: name!,
      role: role as 'user' | 'admin',
      expiresAt: expiryOf(expiry!, Date.now()),
    };
    setCreated(await browserSession.call('api-keys.create', { body }));
    onCreated();
  };
  const close = () => {
    focus.giveBack();
    setCreated(null);
  };
  if (created) return <NewKey created={created} onDone={close} />;
  if (!planLimits[organisation.plan].apiKeys) return <PlanNotice plan={organisation.plan} />;
  return (
    <Section title="New key">
      <Form label="New key" submit="Create key" submitRef={focus.ref} onSubmit={create} sending={sending}>
        <Field label="Name" name="name" hint="What will use it." autoComplete="off" maxLength={100} required />
        <div className="columns">
          <SelectField
            label="Role"
            name="role"
            hint="Read-only keys can also read variables and database addresses, passwords included."
          >
            <option value="user">read only (user)</option>
            <option value="admin">deploy and manage (admin)</option>
          </SelectField>
          <SelectField label="Expires" name="expiry">
            {expiryChoices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
      </Form>
    </Section>
  );
}

/** In place of a form that could only be refused. */
function PlanNotice({ plan }: { plan: Plan }) {
  const isOwner = useIsOwner();
  return (
    <p className="notice">
      The {plan} plan has no API keys: you cannot create any, and existing ones do not work.{' '}
      {isOwner ? (
        <Link href="/organisation">Change the plan</Link>
      ) : (
        <>
          An owner can change <Link href="/organisation">the plan</Link>
        </>
      )}
      .
    </p>
  );
}

function NewKey({ created, onDone }: { created: CreatedKey; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  return (
    <ShownOnce
      title={`Key “${created.name}”`}
      about="Copy it now. It is shown only once."
      isKept={isKept}
      loss={{ what: 'The key was not copied, and is not shown again.', leaving: 'Leave and lose it' }}
      onDone={onDone}
    >
      <Copyable label="Secret" value={created.secret} isMain onCopied={() => setKept(true)} />
    </ShownOnce>
  );
}
