import { type ReactNode, useEffect, useRef } from 'react';
import { Link, usePath } from '../lib/router.tsx';
import { showMarks } from '../lib/visible-name.ts';
import { titleOfWindow } from '../lib/title-of-window.ts';
import { scrollToEntry } from '../lib/scroll-to-entry.ts';
import { Name } from './name.tsx';

export interface Crumb {
  href: string;
  label: string;
}

interface Tab {
  href: string;
  label: string;
}

interface PageProps {
  title: string;
  /** What the page is of, where its title may change while somebody looks. */
  subject?: string;
  /** Beside the title: a status. */
  badge?: ReactNode;
  about?: ReactNode;
  /** The way back up, the farthest first. */
  crumbs?: readonly Crumb[];
  /** What one does here, at the end of the title's line. */
  actions?: ReactNode;
  tabs?: readonly Tab[];
  children: ReactNode;
}

/**
 * Names the page for the window, and takes the focus so that a screen reader announces the move; unless the page begins
 * with a field that has it.
 */
export function Page({ title, subject = title, badge, about, crumbs, actions, tabs, children }: PageProps) {
  const page = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const windowTitle = titleOfWindow({ title, crumbs, tabs, path: usePath() });
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
  // Not with a title that is learnt later: somebody may be typing by then.
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (announced.current === subject) return;
    const isFirst = announced.current === null;
    announced.current = subject;
    if (isFirst && page.current?.contains(document.activeElement)) return;
    heading.current?.focus({ preventScroll: true });
  }, [subject]);
  return (
    <div ref={page} className="page">
      <header className="page-head">
        <div className="page-title">
          {crumbs && <Crumbs crumbs={crumbs} />}
          <div className="actions">
            <h1 ref={heading} tabIndex={-1}>
              <Name of={title} />
            </h1>
            {badge}
          </div>
          {about && <div className="about">{typeof about === 'string' ? showMarks(about) : about}</div>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {tabs && <Tabs tabs={tabs} />}
      {children}
    </div>
  );
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Where this is">
      <ol className="crumbs">
        {crumbs.map(({ href, label }) => (
          <li key={href}>
            <Link href={href}>
              <Name of={label} />
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Tabs({ tabs }: { tabs: readonly Tab[] }) {
  const path = usePath();
  const nav = useRef<HTMLElement>(null);
  // Some come later than others, and move those behind them.
  const place = tabs.findIndex(({ href }) => href === path);
  useEffect(() => {
    if (nav.current && place >= 0) scrollToEntry(nav.current, path);
  }, [path, place]);
  return (
    <nav ref={nav} aria-label="Parts of this page" className="tabs">
      {tabs.map(({ href, label }) => (
        <Link key={href} href={href}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
