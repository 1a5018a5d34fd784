import { Link } from '../lib/router.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';

export function MissingPage() {
  return (
    <Page title="No such page">
      <EmptyState
        title="The address leads nowhere"
        actions={
          <Link href="/" className="button">
            To the applications
          </Link>
        }
      >
        It may have been typed wrongly, or be of an older console.
      </EmptyState>
    </Page>
  );
}
