import { Page } from '../../parts/page.tsx';

export function RepositoriesPage() {
  return <Page title="Repositories">{null}</Page>;
}
