import { showMarks } from '../lib/visible-name.ts';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface SectionProps {
  title: ReactNode;
  about?: ReactNode;
  /** What it offers cannot be undone. */
  isDanger?: boolean;
  /** It has come in the place of something else, whose focus it takes, so that a screen reader says what it is. */
  takesFocus?: boolean;
  children: ReactNode;
}

export function Section({ title, about, isDanger, takesFocus = false, children }: SectionProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section className={isDanger ? 'card card-danger' : 'card'} aria-labelledby={id}>
      <h2 id={id} ref={heading} {...(takesFocus && { tabIndex: -1, 'aria-describedby': `${id}-about` })}>
        {typeof title === 'string' ? showMarks(title) : title}
      </h2>
      {about && (
        <p id={`${id}-about`} className="about">
          {about}
        </p>
      )}
      {children}
    </section>
  );
}
