import { navigate } from '../lib/router.tsx';
import { NewOrganisationForm } from '../parts/new-organisation-form.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useMember } from '../shell/member-context.ts';
import { chooseOrganisation } from '../shell/organisation-choice.ts';

export function NewOrganisationPage() {
  const { reloadProfile } = useMember();
  const enter = (id: string) => {
    reloadProfile();
    chooseOrganisation(id);
    navigate('/');
  };
  return (
    <Page title="New organisation">
      <Section title="Name it" about="You will own it. It begins on the free plan, with nobody else in it.">
        <NewOrganisationForm onCreated={enter} />
      </Section>
    </Page>
  );
}
