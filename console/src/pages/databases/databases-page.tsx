import { Page } from '../../parts/page.tsx';

export function DatabasesPage() {
  return <Page title="Databases">{null}</Page>;
}
