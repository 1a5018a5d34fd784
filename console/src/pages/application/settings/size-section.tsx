import { SizeForm } from '../../../parts/environment-forms/size-form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { ProductionProps } from './production-sections.tsx';

export function SizeSection({ application, production, save }: ProductionProps) {
  return (
    <Section title="Size of an instance" about="Of production, from its next deployment on.">
      <SizeForm own={production} application={application} onSave={save} />
    </Section>
  );
}
