import { Page } from '../../parts/page.tsx';

export function NewDatabasePage() {
  return <Page title="New database">{null}</Page>;
}
