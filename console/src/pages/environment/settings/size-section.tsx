import { useState } from 'react';
import { useCall } from '../../../lib/use-call.ts';
import { SelectField } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { TabProps } from '../environment-page.tsx';
import { useUpdate } from './use-update.ts';

/** Memory first: which processors go with it depends on it. */
export function SizeSection(props: TabProps) {
  const { environment, application } = props;
  const update = useUpdate(props);
  const [memory, setMemory] = useState(environment.memory ?? '');
  const sizes = useCall('config.containerplatform', {}).data?.sizes ?? [];
  const chosen = memory === '' ? application.memory : memory;
  const processors = useCall('config.containerplatform.compatible', { query: { memory: chosen } }).data?.cpu;
  const memories = [...new Set([...sizes.map((size) => size.memory), environment.memory ?? application.memory])];
  const save = ({ memory: wanted, cpu }: FormValues) => update({ memory: wanted || null, cpu: cpu || null });
  return (
    <Section title="Size of an instance" about="From the next deployment on.">
      <Form
        label="Size of an instance"
        submit="Save"
        onSubmit={save}
        done="Saved. It counts from the next deployment on."
      >
        <div className="columns">
          <SelectField label="Memory" name="memory" value={memory} onChange={(event) => setMemory(event.target.value)}>
            <option value="">{`${application.memory} (the application’s)`}</option>
            {memories.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </SelectField>
          <SelectField
            key={processors?.join(' ')}
            label="CPU"
            name="cpu"
            defaultValue={processors?.includes(environment.cpu ?? '') ? environment.cpu! : ''}
          >
            <option value="">what goes with the memory</option>
            {processors?.map((cpu) => (
              <option key={cpu} value={cpu}>
                {cpu}
              </option>
            ))}
          </SelectField>
        </div>
      </Form>
    </Section>
  );
}
