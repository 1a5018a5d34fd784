import './applications.css';
import { useState } from 'react';
import { lazyPage } from '../../parts/lazy-page.tsx';
import { Link } from '../../lib/router.tsx';
import { useFolders } from '../../lib/use-folders.ts';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NewsError } from '../../parts/news-error.tsx';
import { Page } from '../../parts/page.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { ApplicationRows } from './application-rows.tsx';
import { FolderBar } from './folder-bar.tsx';
import { FolderForm } from './folder-form.tsx';
import { listRequest, sayCut, sayEmpty } from './list-request.ts';
import { ListToolbar } from './list-toolbar.tsx';
import { useApplicationList } from './use-application-list.ts';
import { useListAddress } from './use-list-address.ts';

/** Only before the first application: nobody else needs to load it. */
const FirstRun = lazyPage(async () => (await import('./first-run.tsx')).FirstRun);

export function ApplicationsPage() {
  const { organisation } = useMember();
  const address = useListAddress();
  const list = useApplicationList(listRequest(address), address.folder);
  const folders = useFolders();
  const [isMoving, setMoving] = useState(false);
  const isNarrowed = address.search !== '' || address.folder !== '';
  return (
    <Page title="Applications" about={`What ${organisation.name} runs.`} actions={<NewApplication />}>
      <Loading of={list}>
        {(shown) =>
          shown.totalItems === 0 && !isNarrowed ? (
            <FirstRun />
          ) : (
            <>
              <ListToolbar address={address}>
                <NewFolder onSaved={folders.reload} />
              </ListToolbar>
              <FolderBar
                {...{ address, isMoving, onMoving: setMoving }}
                folders={folders.data ?? []}
                onChanged={folders.reload}
              />
              <NewsError error={list.error} />
              <CutNotice text={sayCut(shown, address.search)} />
              <ApplicationRows
                list={shown}
                folders={folders.data ?? []}
                isMoving={isMoving}
                nothing={
                  address.search && !shown.cutAt
                    ? `No application is called like “${address.search}”.`
                    : sayEmpty(shown)
                }
                onPage={(page) => address.change({ page: String(page) })}
                onChanged={list.reload}
              />
            </>
          )
        }
      </Loading>
    </Page>
  );
}

function CutNotice({ text }: { text: string | null }) {
  return (
    text && (
      <p className="notice" role="status">
        {text}
      </p>
    )
  );
}

function NewApplication() {
  if (!usePermission('create:projects')) return null;
  return (
    <Link href="/new" className="button button-primary with-icon">
      <Icon name="plus" /> New application
    </Link>
  );
}

function NewFolder({ onSaved }: { onSaved: () => void }) {
  return usePermission('create:projects') ? <FolderForm onSaved={onSaved} /> : null;
}
