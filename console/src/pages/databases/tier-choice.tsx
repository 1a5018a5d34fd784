import { useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { connectionsOf, formatMegabytes, type Tier } from './describe-database.ts';
import { OTHER_TIER } from './new-database.ts';

interface TierChoiceProps {
  tiers: readonly Tier[];
  /** The one it has, or is to have unless another is chosen. */
  current: string;
}

export function TierChoice({ tiers, current }: TierChoiceProps) {
  const isOther = !tiers.some(({ id }) => id === current);
  const [chosen, setChosen] = useState(isOther ? OTHER_TIER : current);
  return (
    <fieldset className="choices">
      <legend>Size</legend>
      <div className="choice-cards">
        {tiers.map((tier) => (
          <TierCard
            key={tier.id}
            tier={tier}
            isChosen={chosen === tier.id}
            // One that it has may be kept, also where the machine has become smaller.
            isDisabled={!tier.available && tier.id !== current}
            onChoose={setChosen}
          />
        ))}
        <label className="choice-card">
          <input
            type="radio"
            name="tier"
            value={OTHER_TIER}
            checked={chosen === OTHER_TIER}
            onChange={() => setChosen(OTHER_TIER)}
          />
          <span className="choice-name">Another size</span>
          <span className="choice-about">Processors and memory of its own, as many as you say</span>
        </label>
      </div>
      {chosen === OTHER_TIER && <OtherSize current={isOther ? current : ''} />}
    </fieldset>
  );
}

interface TierCardProps {
  tier: Tier;
  isChosen: boolean;
  isDisabled: boolean;
  onChoose: (id: string) => void;
}

function TierCard({ tier, isChosen, isDisabled, onChoose }: TierCardProps) {
  const { id, label, vcpu, memoryMb, dedicated } = tier;
  return (
    <label className="choice-card">
      <input
        type="radio"
        name="tier"
        value={id}
        checked={isChosen}
        disabled={isDisabled}
        onChange={() => onChoose(id)}
      />
      <span className="choice-name">{label}</span>
      <span className="choice-about">
        {!dedicated && `${vcpu} vCPU · ${formatMegabytes(memoryMb)} · `}
        {connectionsOf(memoryMb).toLocaleString('en-GB')} connections
        {isDisabled && <span className="choice-missing">More than this machine has</span>}
      </span>
    </label>
  );
}

function OtherSize({ current }: { current: string }) {
  const [, vcpu = '1', memoryMb = '1024'] = /^db-custom-(\d+)-(\d+)$/.exec(current) ?? [];
  return (
    <div className="columns">
      <Field label="vCPU" name="vcpu" type="number" min={1} max={96} defaultValue={vcpu} required />
      <Field
        label="Memory (MB)"
        name="memoryMb"
        type="number"
        min={1024}
        step={256}
        defaultValue={memoryMb}
        hint="1024 or more, in steps of 256."
        required
      />
    </div>
  );
}
