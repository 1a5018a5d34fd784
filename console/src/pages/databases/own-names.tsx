import { Field } from '../../parts/field.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

const INNER_NAME = '[a-z][a-z0-9_]{0,31}';
const INNER_TITLE = 'lower-case letters, digits and _, beginning with a letter, at most 32';

const PASSWORD = '[^\\s\'"`\\\\]*';

/** For who wants to say them; else they are made up. */
export function OwnNames() {
  return (
    <details className="more-settings">
      <summary>Names and password of your own</summary>
      <div className="stack">
        <p className="hint">Empty fields are filled in for you.</p>
        <div className="columns">
          <Field
            label="Database name"
            name="databaseName"
            pattern={INNER_NAME}
            title={INNER_TITLE}
            autoComplete="off"
          />
          <Field label="User" name="adminUser" pattern={INNER_NAME} title={INNER_TITLE} autoComplete="off" />
        </div>
        <DatabasePasswordField label="Password" name="adminPassword" />
      </div>
    </details>
  );
}

export function DatabasePasswordField({ label, name }: { label: string; name: string }) {
  return (
    <PasswordField
      label={label}
      name={name}
      minLength={12}
      longest={128}
      pattern={PASSWORD}
      title="no spaces, quotes or backslashes"
      autoComplete="new-password"
      hint="12 or more characters; no spaces, quotes or backslashes."
    />
  );
}
