import { Link } from '../../../lib/router.tsx';
import { SizeForm } from '../../../parts/environment-forms/size-form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { ProductionProps } from './production-sections.tsx';

export function SizeSection({ application, production, save }: ProductionProps) {
  return (
    <Section
      title="Size of an instance"
      about={
        <>
          The size of production, from its next deployment on. It is also in{' '}
          <Link href={`/environments/${production.id}/settings`}>production’s settings</Link>; other environments have
          their own.
        </>
      }
    >
      <SizeForm own={production} application={application} usualName="default" onSave={save} />
    </Section>
  );
}
