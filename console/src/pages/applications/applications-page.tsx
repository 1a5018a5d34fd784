import type { ApplicationStatus } from '@lilac/contract/states';
import { useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { Link } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { Badge, type BadgeTone } from '../../parts/badge.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Time } from '../../parts/time.tsx';
import { useIsOwner, useMember, usePermission } from '../../shell/member-context.ts';

type ApplicationList = OutputOf<'applications.list'>;
type Application = ApplicationList['items'][number];

const PAGE_SIZE = 20;

const tones: Record<ApplicationStatus, BadgeTone> = {
  pending: 'neutral',
  building: 'busy',
  deploying: 'busy',
  healthy: 'good',
  degraded: 'warning',
  failed: 'bad',
  deleting: 'neutral',
};

export function ApplicationsPage() {
  const { organisation } = useMember();
  const [page, setPage] = useState(1);
  const applications = useCall('applications.list', {
    body: { targetOrganisationId: organisation.id, page, limit: PAGE_SIZE },
  });
  return (
    <Page title="Applications" about={`What ${organisation.name} runs.`}>
      <Loading of={applications}>
        {(list) => (list.totalItems === 0 ? <Empty /> : <List list={list} onPage={setPage} />)}
      </Loading>
    </Page>
  );
}

function List({ list, onPage }: { list: ApplicationList; onPage: (page: number) => void }) {
  return (
    <div className="card">
      <ul className="rows">
        {list.items.map((application) => (
          <Row key={application.id} application={application} />
        ))}
      </ul>
      <Pager list={list} onPage={onPage} />
    </div>
  );
}

function Row({ application: { name, status, url, framework, updated_at } }: { application: Application }) {
  return (
    <li className="row">
      <div className="row-main">
        <strong>{name}</strong> <Badge tone={tones[status]}>{status}</Badge>
        <p className="meta">
          {framework} · changed <Time at={updated_at} />
        </p>
      </div>
      <a className="break" href={url} rel="noreferrer">
        {url.replace(/^https?:\/\//, '')}
      </a>
    </li>
  );
}

function Empty() {
  const isOwner = useIsOwner();
  const canCreateKeys = usePermission('update:organisations');
  return (
    <div className="card empty">
      <h2>Nothing runs here yet</h2>
      <p className="about">
        An application is a repository or a zip that Lilac builds and puts at an address of its own: a site of files, or
        a server. For now you deploy from a terminal, with <code>npx lilac apps create</code> or the API (see{' '}
        <a href="/docs">the reference</a>); this list shows how it stands. Besides, you can:
      </p>
      <ul className="next">
        {isOwner && (
          <li>
            <Link href="/members">Invite the people</Link> you work with.
          </li>
        )}
        {canCreateKeys && (
          <li>
            <Link href="/keys">Create an API key</Link> for your scripts.
          </li>
        )}
        <li>
          <Link href="/account">Add a second factor</Link> to your account.
        </li>
      </ul>
    </div>
  );
}
