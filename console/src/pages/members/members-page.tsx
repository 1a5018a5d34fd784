import { useCall } from '../../lib/use-call.ts';
import { Loading } from '../../parts/loading.tsx';
import { MemberList } from './member-list.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { useMember } from '../../shell/member-context.ts';

export function MembersPage() {
  const { organisation } = useMember();
  const members = useCall('organisations.members', { body: { targetOrganisationId: organisation.id } });
  return (
    <Page title="Members" about={`The people in ${organisation.name}.`}>
      <Section title="People">
        <Loading of={members}>{(list) => <MemberList members={list} onChanged={members.reload} />}</Loading>
      </Section>
      <InvitationsSection />
    </Page>
  );
}
