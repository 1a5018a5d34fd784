import { Page } from '../../parts/page.tsx';

export function EnvironmentPage() {
  return <Page title="Environment">{null}</Page>;
}
