import type { ConsolePath } from '@lilac/contract/console-paths';
import type { ComponentType } from 'react';
import { keepsCookies } from './lib/keeps-cookies.ts';
import { usePath } from './lib/router.tsx';
import { ConnectPage } from './pages/connect-page.tsx';
import { DevicePage } from './pages/device-page.tsx';
import { InvitePage } from './pages/invite-page.tsx';
import { NoCookiesPage } from './pages/no-cookies-page.tsx';
import { RepositoryHostsPage } from './pages/repository-hosts/repository-hosts-page.tsx';
import { SetupPage } from './pages/setup-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { ThrottledPage } from './pages/throttled-page.tsx';
import { UnreachablePage } from './pages/unreachable-page.tsx';
import { Waiting } from './parts/loading.tsx';
import { SignInAgain } from './parts/sign-in-again.tsx';
import { useSession } from './session/use-session.ts';
import { Shell } from './shell/shell.tsx';

/** Pages that stand alone, for whoever holds the link. The others are inside the shell, for members. */
const openPages: Partial<Record<ConsolePath, ComponentType>> = {
  '/setup': SetupPage,
  '/invite': InvitePage,
  '/repository-hosts': RepositoryHostsPage,
};

/** And those of a signed-in person that concern no organisation they have chosen. */
const personalPages: Partial<Record<ConsolePath, ComponentType>> = { '/device': DevicePage, '/connect': ConnectPage };

const hasCookies = keepsCookies();

/** Who is not signed in meets the sign-in at whatever address they came to, and stays there afterwards. */
export function App() {
  const path = usePath();
  const state = useSession();
  if (!hasCookies) return <NoCookiesPage />;
  if (state.status === 'starting' || state.status === 'over') return <Waiting />;
  if (state.status === 'unreachable') return <UnreachablePage />;
  if (state.status === 'throttled') return <ThrottledPage untilMs={state.untilMs} />;
  const OpenPage = openPages[path as ConsolePath];
  if (OpenPage) return <OpenPage />;
  const PersonalPage = personalPages[path as ConsolePath];
  if (state.status === 'signed-out' || (state.status === 'ended' && PersonalPage)) return <SignInPage />;
  if (PersonalPage) return <PersonalPage />;
  return (
    <>
      {/* Kept beneath a session that ended, with what was written in it. */}
      <div hidden={state.status === 'ended'}>
        <Shell path={path} sessionId={state.token.sessionId} />
      </div>
      {state.status === 'ended' && <SignInAgain />}
    </>
  );
}
