import { useCall } from '../../lib/use-call.ts';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { KeyList } from './key-list.tsx';
import { NewKeySection } from './new-key-section.tsx';

export function KeysPage() {
  const { organisation } = useMember();
  const canChange = usePermission('update:organisations');
  const keys = useCall('api-keys.list', { body: { targetOrganisationId: organisation.id } });
  return (
    <Page title="API keys" about="For scripts and servers that cannot sign in as a person.">
      {canChange && <NewKeySection onCreated={keys.reload} />}
      <Section title="Keys">
        <Loading of={keys}>{(list) => <KeyList keys={list} canChange={canChange} onRevoked={keys.reload} />}</Loading>
      </Section>
    </Page>
  );
}
