import { Page } from '../../parts/page.tsx';

export function ActivityPage() {
  return <Page title="Activity">{null}</Page>;
}
