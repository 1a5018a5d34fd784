import { Section } from '../../parts/section.tsx';
import { EnvironmentRow } from '../domains/environment-row.tsx';
import type { TabProps } from './environment-page.tsx';

export function DomainTab({ environment }: TabProps) {
  return (
    <Section
      title="Domain"
      about="A name of your own for this environment. Where Lilac serves https, its certificate comes and is renewed by itself."
    >
      <ul className="rows" aria-label="Domain">
        <EnvironmentRow environment={environment} />
      </ul>
    </Section>
  );
}
