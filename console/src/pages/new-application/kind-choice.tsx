import type { DeploymentType } from '@lilac/contract/states';

interface KindChoiceProps {
  type: DeploymentType;
  onType: (type: DeploymentType) => void;
}

const kinds: Record<DeploymentType, { title: string; about: string }> = {
  static: { title: 'A site of files', about: 'Built once, then served as it is.' },
  container: { title: 'A server', about: 'A program that answers requests.' },
};

/** Files or a program. */
export function KindChoice({ type, onType }: KindChoiceProps) {
  return (
    <fieldset className="kinds">
      <legend>What it is</legend>
      {(Object.keys(kinds) as DeploymentType[]).map((kind) => (
        <label key={kind} className="check kind">
          <input type="radio" name="kind" value={kind} checked={kind === type} onChange={() => onType(kind)} />
          <span>
            {kinds[kind].title}
            <span className="hint">{kinds[kind].about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
