import { Page } from '../../parts/page.tsx';

export function ApplicationPage() {
  return <Page title="Application">{null}</Page>;
}
