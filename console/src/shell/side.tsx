import { Link, navigate, usePath } from '../lib/router.tsx';
import { useAction } from '../lib/use-action.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { browserSession } from '../session/browser-session.ts';
import { useMember } from './member-context.ts';
import { OrganisationSwitcher } from './organisation-switcher.tsx';
import { ThemeButton } from './theme-button.tsx';

interface Destination {
  href: string;
  label: string;
  icon: IconName;
  /** What else belongs to it: the pages one comes to from there. */
  covers?: RegExp;
}

const destinations: readonly Destination[] = [
  { href: '/', label: 'Applications', icon: 'applications', covers: /^\/(new|apps|environments|deployments)(\/|$)/ },
  { href: '/databases', label: 'Databases', icon: 'databases', covers: /^\/databases\// },
  { href: '/domains', label: 'Domains', icon: 'domains' },
  { href: '/repositories', label: 'Repositories', icon: 'repositories' },
  { href: '/activity', label: 'Activity', icon: 'activity' },
  { href: '/keys', label: 'API keys', icon: 'keys' },
  { href: '/members', label: 'Members', icon: 'members' },
  { href: '/organisation', label: 'Organisation', icon: 'organisation' },
];

/** The way around: beside the page, or above it where the window is narrow. */
export function Side() {
  return (
    <header className="side">
      <div className="side-head">
        <Link href="/" className="home" aria-current={undefined} aria-label="Lilac">
          <Mark />
        </Link>
        <OrganisationSwitcher />
      </div>
      <nav aria-label="Main" className="side-nav">
        {destinations.map((destination) => (
          <Entry key={destination.href} {...destination} />
        ))}
      </nav>
      <Foot />
    </header>
  );
}

function Entry({ href, label, icon, covers }: Destination) {
  const path = usePath();
  const current = path === href ? 'page' : covers?.test(path) ? 'true' : undefined;
  return (
    <Link href={href} aria-current={current}>
      <Icon name={icon} />
      {label}
    </Link>
  );
}

function Foot() {
  const { profile } = useMember();
  const signOut = useAction(async () => {
    await browserSession.signOut();
    navigate('/sign-in');
  });
  return (
    <div className="side-foot">
      <ErrorNotice error={signOut.error} />
      <Link href="/account">
        <Icon name="account" />
        <span>{profile.first_name || profile.email}</span>
      </Link>
      <ThemeButton />
      <button type="button" aria-busy={signOut.isBusy || undefined} onClick={() => void signOut.run()}>
        <Icon name="signOut" />
        Sign out
      </button>
    </div>
  );
}
