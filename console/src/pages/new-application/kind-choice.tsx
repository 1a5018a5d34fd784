import type { DeploymentType } from '@lilac/contract/states';
import { kindNames } from '../../lib/describe-kind.ts';

interface KindChoiceProps {
  type: DeploymentType;
  onType: (type: DeploymentType) => void;
}

const abouts: Record<DeploymentType, string> = {
  static: 'Built once, then served as it is.',
  container: 'A program that answers requests.',
};

/** Files or a program. */
export function KindChoice({ type, onType }: KindChoiceProps) {
  return (
    <fieldset className="kinds">
      <legend>What it is</legend>
      {(Object.keys(abouts) as DeploymentType[]).map((kind) => (
        <label key={kind} className="check kind">
          <input type="radio" name="kind" value={kind} checked={kind === type} onChange={() => onType(kind)} />
          <span>
            {kindNames[kind]}
            <span className="hint">{abouts[kind]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
