import { Page } from '../../parts/page.tsx';
import { useMember } from '../../shell/member-context.ts';
import { DevicesSection } from './devices-section.tsx';
import { NameSection } from './name-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';

export function AccountPage() {
  const { profile } = useMember();
  return (
    <Page title="Account" about={profile.email}>
      <NameSection />
      <PasswordSection />
      <SecondFactorSection />
      <DevicesSection />
    </Page>
  );
}
