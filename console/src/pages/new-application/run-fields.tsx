import { planLimits } from '@lilac/contract/plans';
import type { ChangeEvent } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { sayMemory } from '../../lib/say-memory.ts';
import { sayUsualCpu } from '../../parts/environment-forms/say-usual-cpu.ts';
import { Field, SelectField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useMember } from '../../shell/member-context.ts';
import type { Draft, DraftField } from './use-draft.ts';

const USUAL_MEMORY = '512Mi';

/** How large an instance of a server is, and how many there may be. */
export function RunFields({ draft: { fields, setField } }: { draft: Draft }) {
  const sizes = useCall('config.containerplatform', {});
  const { memory = USUAL_MEMORY } = fields;
  const fieldOf = (name: DraftField, usual = '') => ({
    name,
    value: fields[name] ?? usual,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => setField(name, event.target.value),
  });
  const compatible = useCall('config.containerplatform.compatible', { query: { memory } }).data;
  const cpus = compatible?.memory === memory ? compatible.cpu : [];
  return (
    <details className="folded">
      <summary>Size, instances and port</summary>
      <Loading of={sizes}>
        {({ sizes: all, scaling }) => (
          <div className="columns">
            <SelectField
              label="Memory"
              {...fieldOf('memory', USUAL_MEMORY)}
              onChange={(event) => {
                setField('memory', event.target.value);
                // Not every number of processors goes with it.
                setField('cpu', '');
              }}
            >
              {[...new Set(all.map((size) => size.memory))].map((each) => (
                <option key={each} value={each}>
                  {sayMemory(each)}
                </option>
              ))}
            </SelectField>
            <SelectField label="CPU" {...fieldOf('cpu')}>
              <option value="">{sayUsualCpu({ memory, sizes: all, cpus })}</option>
              {cpus.map((cpu) => (
                <option key={cpu}>{cpu}</option>
              ))}
            </SelectField>
            <InstanceField label="Instances at least" {...fieldOf('minInstances', '0')} range={scaling.minInstances} />
            <InstanceField label="Instances at most" {...fieldOf('maxInstances', '10')} range={scaling.maxInstances} />
            <Field
              label="Port"
              {...fieldOf('containerPort')}
              type="number"
              min={1}
              max={65_535}
              hint="Left empty: detected."
            />
          </div>
        )}
      </Loading>
    </details>
  );
}

interface InstanceFieldProps {
  label: string;
  name: DraftField;
  value: string;
  range: readonly number[];
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

function InstanceField({ name, range: [min, max], ...rest }: InstanceFieldProps) {
  const { plan } = useMember().organisation;
  const allowed = `The plan ${plan} allows ${planLimits[plan].maxInstances}.`;
  const hint = name === 'minInstances' ? '0: it sleeps while nobody asks.' : allowed;
  return <Field {...{ ...rest, name, min, max, hint }} type="number" required />;
}
