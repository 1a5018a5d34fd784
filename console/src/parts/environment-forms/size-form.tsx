import { useState } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { sayMemory } from '../../lib/say-memory.ts';
import { SelectField } from '../field.tsx';
import { Form } from '../form.tsx';
import { sayUsualCpu } from './say-usual-cpu.ts';
import { type SizeChanges, sizeChanges } from './size-changes.ts';

interface SizeFormProps {
  own: { memory: string | null; cpu: string | null };
  /** What counts where the environment has none of its own. */
  application: { memory: string; cpu: string | null };
  /** What those are called here. */
  usualName?: string;
  onSave: (changes: SizeChanges) => Promise<unknown>;
}

/** Memory first: which processors go with it depends on it. */
export function SizeForm({ own, application, usualName = 'from the application', onSave }: SizeFormProps) {
  const [shown, setShown] = useState(own);
  const [memory, setMemory] = useState(own.memory ?? '');
  const [wantedCpu, setCpu] = useState(own.cpu ?? '');
  const sizes = useCall('config.containerplatform', {}).data?.sizes ?? [];
  const query = { memory: memory === '' ? application.memory : memory };
  const compatible = useCall('config.containerplatform.compatible', { query }).data;
  const processors = compatible?.cpu ?? (wantedCpu ? [wantedCpu] : []);
  const cpus = compatible?.memory === query.memory ? compatible.cpu : [];
  const cpu = processors.includes(wantedCpu) ? wantedCpu : '';
  const memories = [...new Set([...sizes.map((size) => size.memory), ...(own.memory ? [own.memory] : [])])];
  const next = { memory: memory || null, cpu: cpu || null };
  const changes = sizeChanges(shown, next);
  const save = async () => {
    await onSave(changes);
    setShown(next);
  };
  return (
    <Form
      label="Size of an instance"
      submit="Save"
      submitLook="plain"
      onSubmit={save}
      done="Saved. It counts from the next deployment on."
      unsaved={Object.keys(changes).length > 0 && 'What you changed under “Size of an instance” is not saved.'}
    >
      <div className="columns">
        <SelectField label="Memory" name="memory" value={memory} onChange={(event) => setMemory(event.target.value)}>
          <option value="">{`${sayMemory(application.memory)} (${usualName})`}</option>
          {memories.map((size) => (
            <option key={size} value={size}>
              {sayMemory(size)}
            </option>
          ))}
        </SelectField>
        <SelectField label="CPU" name="cpu" value={cpu} onChange={(event) => setCpu(event.target.value)}>
          <option value="">
            {application.cpu === null ? sayUsualCpu({ ...query, sizes, cpus }) : `${application.cpu} (${usualName})`}
          </option>
          {processors.map((processor) => (
            <option key={processor} value={processor}>
              {processor}
            </option>
          ))}
        </SelectField>
      </div>
    </Form>
  );
}
