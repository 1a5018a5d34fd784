import { NewOrganisationForm } from '../parts/new-organisation-form.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useMember } from '../shell/member-context.ts';
import { chooseOrganisation } from '../shell/organisation-choice.ts';

export function NewOrganisationPage() {
  const { whenMemberOf } = useMember();
  const enter = async (id: string, goIn: () => boolean) => {
    await whenMemberOf(id);
    if (goIn()) chooseOrganisation(id);
  };
  return (
    <Page title="New organisation">
      <Section title="Name it" about="You will own it. It begins on the free plan, with nobody else in it.">
        <NewOrganisationForm onCreated={enter} />
      </Section>
    </Page>
  );
}
