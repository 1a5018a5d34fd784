import { Link, navigate } from '../lib/router.tsx';
import { useAction } from '../lib/use-action.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Mark } from '../parts/mark.tsx';
import { browserSession } from '../session/browser-session.ts';
import { useMember } from './member-context.ts';
import { OrganisationSwitcher } from './organisation-switcher.tsx';

const destinations = [
  ['/', 'Applications'],
  ['/domains', 'Domains'],
  ['/keys', 'API keys'],
  ['/members', 'Members'],
  ['/organisation', 'Organisation'],
] as const;

export function Header() {
  const { profile } = useMember();
  const signOut = useAction(async () => {
    await browserSession.signOut();
    navigate('/sign-in');
  });
  return (
    <header className="top">
      <div className="top-row">
        <Link href="/" className="home" aria-current={undefined} aria-label="Lilac">
          <Mark />
        </Link>
        <OrganisationSwitcher />
        <div className="top-account">
          <Link href="/account">{profile.first_name || profile.email}</Link>
          <Button look="quiet" isBusy={signOut.isBusy} onClick={() => void signOut.run()}>
            Sign out
          </Button>
        </div>
      </div>
      <ErrorNotice error={signOut.error} />
      <nav aria-label="Main" className="top-nav">
        {destinations.map(([href, label]) => (
          <Link key={href} href={href}>
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}
