import { type ReactNode, useEffect } from 'react';
import { Mark } from './mark.tsx';

interface NarrowPageProps {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
}

/** One thing to do, in the middle of the window: pages for people who are not signed in yet. */
export function NarrowPage({ title, about, children }: NarrowPageProps) {
  useEffect(() => {
    document.title = `${title} · Lilac`;
  }, [title]);
  return (
    <main className="narrow">
      <Mark />
      <div className="card">
        <h1>{title}</h1>
        {about && <p className="about">{about}</p>}
        {children}
      </div>
    </main>
  );
}
