import { useState } from 'react';
import { useCall } from '../../../lib/use-call.ts';
import { SelectField } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { ProductionProps } from './production-sections.tsx';

/** Memory first: which processors go with it depends on it. */
export function SizeSection({ application, production, save }: ProductionProps) {
  const [memory, setMemory] = useState(production.memory ?? '');
  const sizes = useCall('config.containerplatform', {}).data?.sizes ?? [];
  const chosen = memory === '' ? application.memory : memory;
  const [wantedCpu, setCpu] = useState(production.cpu ?? '');
  const known = useCall('config.containerplatform.compatible', { query: { memory: chosen } }).data?.cpu;
  const processors = known ?? (wantedCpu ? [wantedCpu] : []);
  const cpu = processors.includes(wantedCpu) ? wantedCpu : '';
  const memories = [
    ...new Set([...sizes.map((size) => size.memory), ...(production.memory ? [production.memory] : [])]),
  ];
  const submit = () => save({ memory: memory || null, cpu: cpu || null });
  return (
    <Section title="Size of an instance" about="Of production, from its next deployment on.">
      <Form
        label="Size of an instance"
        submit="Save"
        onSubmit={submit}
        done="Saved. It counts from the next deployment on."
      >
        <div className="columns">
          <SelectField label="Memory" name="memory" value={memory} onChange={(event) => setMemory(event.target.value)}>
            <option value="">{`${application.memory} (the application's)`}</option>
            {memories.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </SelectField>
          <SelectField label="CPU" name="cpu" value={cpu} onChange={(event) => setCpu(event.target.value)}>
            <option value="">what goes with the memory</option>
            {processors.map((processor) => (
              <option key={processor} value={processor}>
                {processor}
              </option>
            ))}
          </SelectField>
        </div>
      </Form>
    </Section>
  );
}
