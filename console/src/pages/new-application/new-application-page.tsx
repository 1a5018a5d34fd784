import { Page } from '../../parts/page.tsx';

export function NewApplicationPage() {
  return <Page title="New application">{null}</Page>;
}
