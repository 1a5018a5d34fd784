import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Section } from './section.tsx';

interface ShownOnceProps {
  title: string;
  about: string;
  /** Further buttons, before the one that closes it. */
  actions?: ReactNode;
  /** On the button that closes it. */
  done?: string;
  onDone: () => void;
  children: ReactNode;
}

/** What cannot be shown again, in the place of the form it came of, with the focus that was there. */
export function ShownOnce({ title, about, actions, done = 'Done', onDone, children }: ShownOnceProps) {
  return (
    <Section title={title} about={about} takesFocus>
      <div className="stack">
        {children}
        <div className="actions">
          {actions}
          <Button onClick={onDone}>{done}</Button>
        </div>
      </div>
    </Section>
  );
}
