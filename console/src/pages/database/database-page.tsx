import { Page } from '../../parts/page.tsx';

export function DatabasePage() {
  return <Page title="Database">{null}</Page>;
}
