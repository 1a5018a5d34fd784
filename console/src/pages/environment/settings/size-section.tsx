import { SizeForm } from '../../../parts/environment-forms/size-form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { TabProps } from '../environment-page.tsx';
import { useUpdate } from './use-update.ts';

export function SizeSection(props: TabProps) {
  return (
    <Section title="Size of an instance" about="From the next deployment on.">
      <SizeForm own={props.environment} application={props.application} onSave={useUpdate(props)} />
    </Section>
  );
}
