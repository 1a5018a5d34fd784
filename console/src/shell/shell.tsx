import { useEffect, useRef } from 'react';
import type { Profile } from '../lib/api-types.ts';
import { useNoStrayDrops } from '../lib/stray-drops.ts';
import { useCall } from '../lib/use-call.ts';
import { Loading } from '../parts/loading.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { NewOrganisationForm } from '../parts/new-organisation-form.tsx';
import { PageBoundary } from '../parts/page-boundary.tsx';
import { browserSession } from '../session/browser-session.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { DomainNotice } from './domain-notice.tsx';
import { Footer } from './footer.tsx';
import { isOfPerson } from './is-of-person.ts';
import { IsolationNotice } from './isolation-notice.tsx';
import { type Member, MemberContext } from './member-context.ts';
import { MemberPage, pageKeyOf } from './member-page.tsx';
import { chooseOrganisation, useChosenOrganisation } from './organisation-choice.ts';
import { MovedNotice } from './moved-notice.tsx';
import { OutcomeNotices } from './outcome-notices.tsx';
import { Overlays } from './overlays.tsx';
import { Side } from './side.tsx';
import { useFindOrganisation } from './use-find-organisation.ts';
import { useWhenMemberOf } from './use-when-member-of.ts';

const PROFILE_MS = 30_000;

/** Everything a signed-in person sees: who they are is loaded once, then the page of the address. */
export function Shell({ path, sessionId }: { path: string; sessionId: string }) {
  useNoStrayDrops();
  // What one may do is another's to change: the buttons follow before the first refusal.
  const loaded = useCall('auth.profile', {}, { refreshMs: PROFILE_MS });
  const { reload } = loaded;
  // A role or a membership was taken away meanwhile, or the session is a new one.
  useEffect(() => browserSession.onAccessLost(reload), [reload]);
  const loadedIn = useRef(sessionId);
  useEffect(() => {
    if (loadedIn.current !== sessionId) reload();
    loadedIn.current = sessionId;
  }, [reload, sessionId]);
  return (
    <Loading of={loaded}>{(profile) => <Frame path={path} profile={profile} reloadProfile={loaded.reload} />}</Loading>
  );
}

interface FrameProps {
  path: string;
  profile: Profile;
  reloadProfile: () => void;
}

function Frame({ path, profile, reloadProfile }: FrameProps) {
  const organisation = useChosenOrganisation(profile.organisations);
  const moved = useFindOrganisation({ path, organisation, organisations: profile.organisations });
  const whenMemberOf = useWhenMemberOf(profile.organisations, reloadProfile);
  if (!organisation) return <FirstOrganisation whenMemberOf={whenMemberOf} />;
  return (
    <MemberContext value={{ profile, organisation, reloadProfile, whenMemberOf }}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <div className="frame">
        <Side />
        <div className="frame-page">
          <main id="content" tabIndex={-1}>
            <ConnectionNotice />
            {moved && <MovedNotice name={moved.name} />}
            {/* A notice that fails is not shown, and takes nothing else down. */}
            <PageBoundary failed={null}>
              <IsolationNotice />
            </PageBoundary>
            <PageBoundary key={`${path} ${organisation.id} notice`} failed={null}>
              <DomainNotice path={path} />
            </PageBoundary>
            <MemberPage key={isOfPerson(path) ? path : `${pageKeyOf(path)} ${organisation.id}`} path={path} />
            <OutcomeNotices />
          </main>
          <Footer />
        </div>
      </div>
      <Overlays />
    </MemberContext>
  );
}

/** A person who left their last organisation. */
function FirstOrganisation({ whenMemberOf }: Pick<Member, 'whenMemberOf'>) {
  const enter = async (id: string) => {
    // The profile may come with one that somebody has invited them to meanwhile.
    chooseOrganisation(id);
    await whenMemberOf(id);
  };
  return (
    <NarrowPage title="A new organisation" about="You are in no organisation. Create one, or ask for an invitation.">
      <NewOrganisationForm onCreated={enter} />
    </NarrowPage>
  );
}
