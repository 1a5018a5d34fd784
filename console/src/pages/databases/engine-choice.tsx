import type { Catalogue } from './describe-database.ts';

/** What this machine can serve; what it cannot says why. */
export function EngineChoice({ engines }: { engines: Catalogue['databaseTypes'] }) {
  const first = engines.find(({ available }) => available)?.id;
  return (
    <fieldset className="choices">
      <legend>Engine</legend>
      <div className="choice-cards">
        {engines.map(({ id, label, available, version, missing }) => (
          <label key={id} className="choice-card">
            <input type="radio" name="engine" value={id} defaultChecked={id === first} disabled={!available} required />
            <span className="choice-name">{label}</span>
            <span className="choice-about">
              {available ? `Version ${version}` : `Not on this machine${missing ? `: ${missing}` : '.'}`}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
