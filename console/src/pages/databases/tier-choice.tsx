import { Field } from '../../parts/field.tsx';
import { connectionsOf, formatMegabytes, type Tier } from './describe-database.ts';
import { OTHER_TIER, type TierDraft } from './new-database.ts';

interface TierChoiceProps {
  tiers: readonly Tier[];
  /** The one it has, or is to have unless another is chosen. */
  current: string;
  draft: TierDraft;
  onEdit: (change: Partial<TierDraft>) => void;
}

export function TierChoice({ tiers, current, draft, onEdit }: TierChoiceProps) {
  const choose = (tier: string) => onEdit({ tier });
  return (
    <fieldset className="choices">
      <legend>Size</legend>
      <div className="choice-cards">
        {tiers.map((tier) => (
          <TierCard
            key={tier.id}
            tier={tier}
            isChosen={draft.tier === tier.id}
            // One that it has may be kept, also where the machine has become smaller.
            isDisabled={!tier.available && tier.id !== current}
            onChoose={choose}
          />
        ))}
        <label className="choice-card">
          <input
            type="radio"
            name="tier"
            value={OTHER_TIER}
            checked={draft.tier === OTHER_TIER}
            onChange={() => choose(OTHER_TIER)}
          />
          <span className="choice-name">Another size</span>
          <span className="choice-about">Dedicated CPU and memory, as much as you choose</span>
        </label>
      </div>
      {draft.tier === OTHER_TIER && <OtherSize draft={draft} onEdit={onEdit} />}
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

function OtherSize({ draft: { vcpu, memoryMb }, onEdit }: Pick<TierChoiceProps, 'draft' | 'onEdit'>) {
  return (
    <div className="columns">
      <Field
        label="vCPU"
        name="vcpu"
        type="number"
        min={1}
        max={96}
        value={vcpu}
        onChange={(event) => onEdit({ vcpu: event.target.value })}
        required
      />
      <Field
        label="Memory (MB)"
        name="memoryMb"
        type="number"
        min={1024}
        step={256}
        value={memoryMb}
        onChange={(event) => onEdit({ memoryMb: event.target.value })}
        hint="1024 or more, in steps of 256."
        required
      />
    </div>
  );
}
