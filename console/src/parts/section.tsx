import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  about?: ReactNode;
  /** What it offers cannot be undone. */
  isDanger?: boolean;
  children: ReactNode;
}

export function Section({ title, about, isDanger, children }: SectionProps) {
  const id = useId();
  return (
    <section className={isDanger ? 'card card-danger' : 'card'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <p className="about">{about}</p>}
      {children}
    </section>
  );
}
