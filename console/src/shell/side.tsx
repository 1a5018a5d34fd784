import { useEffect, useRef, useState } from 'react';
import { askBeforeLosing, endedBySigningOut } from '../lib/leaving.ts';
import { Link, usePath } from '../lib/router.tsx';
import { scrollToEntry } from '../lib/scroll-to-entry.ts';
import { useAction } from '../lib/use-action.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { QuestionDialog, useAsking } from '../parts/question-dialog.tsx';
import { browserSession } from '../session/browser-session.ts';
import { destinations } from './destinations.ts';
import { useMember } from './member-context.ts';
import { OrganisationSwitcher } from './organisation-switcher.tsx';
import { SearchButton } from './search-button.tsx';
import { ThemeButton } from './theme-button.tsx';
import { Name } from '../parts/name.tsx';

/** The way around: beside the page, or above it where the window is narrow. */
export function Side() {
  return (
    <header className="side">
      <Link href="/" className="home" aria-current={undefined} aria-label="Lilac">
        <Mark />
      </Link>
      <OrganisationSwitcher />
      <SearchButton />
      <Destinations />
      <Foot />
    </header>
  );
}

function Destinations() {
  const path = usePath();
  const nav = useRef<HTMLElement>(null);
  const current = destinations.find(({ href, covers }) => path === href || covers?.test(path))?.href;
  useEffect(() => {
    if (nav.current && current) scrollToEntry(nav.current, current);
  }, [current]);
  return (
    <nav ref={nav} aria-label="Main" className="side-nav">
      {destinations.map(({ href, label, icon }) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : current === href ? 'true' : undefined}>
          <Icon name={icon} />
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** By what signing out would end. */
const questions = {
  'under way': {
    title: 'Sign out while a file is sent?',
    action: 'Stop it and sign out',
    consequence: 'It is stopped, and nothing of it is kept.',
  },
  typed: {
    title: 'Sign out and lose what you typed?',
    action: 'Lose it and sign out',
    consequence: 'A statement that you typed for a database was not run, and is not kept.',
  },
};

function Foot() {
  const { profile } = useMember();
  const signOut = useAction(() => browserSession.signOut('/sign-in'));
  const asking = useAsking();
  const [question, setQuestion] = useState(questions['under way']);
  const endOthers = () => {
    const ended = endedBySigningOut();
    if (ended === null) return void signOut.run();
    setQuestion(questions[ended]);
    return asking.open();
  };
  // Whoever has signed out cannot stay with what they wrote, and nothing is sent on for them.
  const askAndSignOut = () => signOut.isBusy || askBeforeLosing(endOthers);
  const stopAndSignOut = async () => {
    asking.close();
    await signOut.run();
  };
  return (
    <>
      <div className="side-foot">
        <ErrorNotice error={signOut.error} />
        <Link href="/account" title="Account">
          <Icon name="account" />
          <span>
            <Name of={profile.first_name || profile.email} />
          </span>
        </Link>
        <ThemeButton />
        <button type="button" title="Sign out" aria-busy={signOut.isBusy || undefined} onClick={askAndSignOut}>
          <Icon name="signOut" />
          <span>Sign out</span>
        </button>
      </div>
      <QuestionDialog
        asking={asking}
        title={question.title}
        action={question.action}
        isBusy={signOut.isBusy}
        onConfirm={stopAndSignOut}
      >
        <p className="about">{question.consequence}</p>
      </QuestionDialog>
    </>
  );
}
