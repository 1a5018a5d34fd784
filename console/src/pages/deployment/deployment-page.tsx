import { Page } from '../../parts/page.tsx';

export function DeploymentPage() {
  return <Page title="Deployment">{null}</Page>;
}
