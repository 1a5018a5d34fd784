import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { Section } from './section.tsx';

interface ShownOnceProps {
  title: string;
  about: string;
  /** It was copied or downloaded: whoever goes elsewhere loses nothing any more. */
  isKept: boolean;
  /** What is lost by whoever leaves before that. */
  loss: { what: string; leaving: string };
  /** Further buttons, before the one that closes it. */
  actions?: ReactNode;
  /** On the button that closes it. */
  done?: string;
  onDone: () => void;
  children: ReactNode;
}

/**
 * What cannot be shown again, in the place of the form it came of, with the focus that was there. Whoever goes
 * elsewhere before it was kept is asked first.
 */
export function ShownOnce({ title, about, isKept, loss, actions, done = 'Done', onDone, children }: ShownOnceProps) {
  return (
    <Section title={title} about={about} takesFocus>
      {!isKept && <LeaveDialog title="Leave without a copy?" {...loss} />}
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
