import type { ReactNode } from 'react';
import { Footer } from '../shell/footer.tsx';
import { Mark } from './mark.tsx';
import { Page } from './page.tsx';

interface OpenPageProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

/** A whole page for whoever holds the link, signed in or not. */
export function OpenPage(page: OpenPageProps) {
  return (
    <>
      <header className="top">
        <div className="top-row">
          <Mark />
        </div>
      </header>
      <main id="content">
        <Page {...page} />
      </main>
      <Footer />
    </>
  );
}
