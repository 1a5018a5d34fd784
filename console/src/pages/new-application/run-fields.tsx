import { planLimits } from '@lilac/contract/plans';
import { useState } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { Field, SelectField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useMember } from '../../shell/member-context.ts';

const USUAL_MEMORY = '512Mi';

/** How large an instance of a server is, and how many there may be. */
export function RunFields() {
  const sizes = useCall('config.containerplatform', {});
  const [memory, setMemory] = useState(USUAL_MEMORY);
  const cpus = useCall('config.containerplatform.compatible', { query: { memory } });
  return (
    <details className="folded">
      <summary>Size, instances and port</summary>
      <Loading of={sizes}>
        {({ sizes: all, scaling }) => (
          <div className="columns">
            <SelectField
              label="Memory"
              name="memory"
              value={memory}
              onChange={(event) => setMemory(event.target.value)}
            >
              {[...new Set(all.map((size) => size.memory))].map((each) => (
                <option key={each}>{each}</option>
              ))}
            </SelectField>
            <SelectField label="Processors" name="cpu" key={memory} defaultValue="">
              <option value="">As usual for it</option>
              {(cpus.data?.memory === memory ? cpus.data.cpu : []).map((cpu) => (
                <option key={cpu}>{cpu}</option>
              ))}
            </SelectField>
            <InstanceField label="Instances at least" name="minInstances" range={scaling.minInstances} usual={0} />
            <InstanceField label="Instances at most" name="maxInstances" range={scaling.maxInstances} usual={10} />
            <Field label="Port" name="containerPort" type="number" min={1} max={65_535} hint="Left empty: detected." />
          </div>
        )}
      </Loading>
    </details>
  );
}

interface InstanceFieldProps {
  label: string;
  name: string;
  range: readonly number[];
  usual: number;
}

function InstanceField({ label, name, range: [min, max], usual }: InstanceFieldProps) {
  const { plan } = useMember().organisation;
  const allowed = `The plan ${plan} allows ${planLimits[plan].maxInstances}.`;
  const hint = name === 'minInstances' ? '0: it sleeps while nobody asks.' : allowed;
  return <Field {...{ label, name, min, max, hint }} type="number" defaultValue={usual} required />;
}
