import { type ReactNode, useEffect, useRef } from 'react';
import { Mark } from './mark.tsx';
import { showMarks } from '../lib/visible-name.ts';

interface NarrowPageProps {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
}

/** One thing to do, in the middle of the window: pages for people who are not signed in yet. */
export function NarrowPage({ title, about, children }: NarrowPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen reader announces what there is to do now, unless a field of it has the focus already.
  useEffect(() => {
    document.title = `${showMarks(title)} · Lilac`;
    const isInside = heading.current?.closest('main')?.contains(document.activeElement);
    if (!isInside) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <main className="narrow">
      <Mark />
      <div className="card">
        <h1 ref={heading} tabIndex={-1}>
          {showMarks(title)}
        </h1>
        {about && <p className="about">{typeof about === 'string' ? showMarks(about) : about}</p>}
        {children}
      </div>
    </main>
  );
}
