import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

/** Names the page for the window, and takes the focus so that a screen reader announces the move. */
export function Page({ title, about, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Lilac`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about && <p className="about">{about}</p>}
      </header>
      {children}
    </div>
  );
}
