import { Link } from '../lib/router.tsx';
import { Page } from '../parts/page.tsx';

export function MissingPage() {
  return (
    <Page title="No such page" about="The address leads nowhere in this console.">
      <p>
        <Link href="/">To the applications</Link>
      </p>
    </Page>
  );
}
