import { Link } from '../lib/router.tsx';
import { EmptyState } from './empty-state.tsx';
import { type Crumb, Page } from './page.tsx';

interface GonePageProps {
  /** What the address names: "application". */
  kind: string;
  /** The list of such. */
  list: Crumb;
}

/** In place of what was deleted, or what this organisation never had. */
export function GonePage({ kind, list }: GonePageProps) {
  return (
    <Page title={`No such ${kind}`} crumbs={[list]}>
      <EmptyState
        title="It is not here"
        actions={
          <Link href={list.href} className="button">
            To the {list.label.toLowerCase()}
          </Link>
        }
      >
        It was deleted, or it belongs to an organisation that you are not a member of.
      </EmptyState>
    </Page>
  );
}
