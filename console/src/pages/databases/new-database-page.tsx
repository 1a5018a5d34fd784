import './databases.css';
import { MAX_STORAGE_GB } from '@lilac/contract/storage-limits';
import { useState } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { useFolders } from '../../lib/use-folders.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { AllowedOnly } from '../../parts/allowed-only.tsx';
import { Field } from '../../parts/field.tsx';
import { FolderField } from '../../parts/folder-field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { whileHere } from '../../shell/lead-on.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import type { Catalogue } from './describe-database.ts';
import { EngineChoice } from './engine-choice.tsx';
import { NetworkFields } from './network-fields.tsx';
import { draftTier, readNewDatabase } from './new-database.ts';
import { OwnNames } from './own-names.tsx';
import { TierChoice } from './tier-choice.tsx';

const FIRST_TIER = 'db-f1-micro';

const draft = {
  title: 'Leave without creating it?',
  what: 'Your choices for the database are lost.',
  leaving: 'Leave and lose it',
};

const sending = {
  title: 'Leave while it is created?',
  what: 'The database is being created and continues without you. If it fails, you will see a notice, but your choices here are lost.',
  leaving: 'Leave',
};

const crumbs = [{ href: '/databases', label: 'Databases' }];

export function NewDatabasePage() {
  const catalogue = useCall('config.platform', {});
  const canCreate = usePermission('create:projects');
  return (
    <Page title="New database" crumbs={crumbs} about="A server of its own, ready in seconds and backed up every day.">
      <AllowedOnly
        isAllowed={canCreate}
        notice="Your role does not let you create databases. Ask an owner of the organisation."
      >
        <Loading of={catalogue}>{(known) => <NewDatabaseForm catalogue={known} />}</Loading>
      </AllowedOnly>
    </Page>
  );
}

function NewDatabaseForm({ catalogue: { databaseTypes, databaseTiers } }: { catalogue: Catalogue }) {
  const { organisation } = useMember();
  const [tier, setTier] = useState(() => draftTier(FIRST_TIER, databaseTiers));
  const [network, setNetwork] = useState({ isPublic: false, networks: '' });
  const create = async (values: FormValues) => {
    const body = readNewDatabase(values, organisation.id);
    const leadOn = whileHere({ endsPage: true });
    const { id } = await browserSession.call('databases.create', { body });
    const said = `The database ${showMarks(body.name)} is being created.`;
    leadOn(`/databases/${encodeURIComponent(id)}`, { said, shows: true });
  };
  return (
    <div className="card wide-form">
      <Form label="New database" submit="Create database" onSubmit={create} draft={draft} sending={sending}>
        <Field label="Name" name="name" required maxLength={100} autoComplete="off" hint="Shown in the console." />
        <EngineChoice engines={databaseTypes} />
        <TierChoice
          tiers={databaseTiers}
          current={FIRST_TIER}
          draft={tier}
          onEdit={(change) => setTier({ ...tier, ...change })}
        />
        <Field
          label="Storage (GB)"
          name="storageGb"
          type="number"
          min={1}
          max={MAX_STORAGE_GB}
          defaultValue={10}
          required
          hint="It can grow later without downtime, but never shrink."
        />
        <label className="check">
          <input type="checkbox" name="ha" />
          <span>
            High availability
            <span className="hint"> – a second server takes over when the first one fails.</span>
          </span>
        </label>
        <NetworkFields draft={network} isNew onEdit={(change) => setNetwork({ ...network, ...change })} />
        <OwnFolder />
        <OwnNames />
      </Form>
    </div>
  );
}

function OwnFolder() {
  const folders = useFolders().data ?? [];
  return folders.length > 0 && <FolderField folders={folders} defaultValue="" />;
}
