import { Field } from './field.tsx';

/** The bounds are the contract's. */
export function NewPasswordField({ label, name }: { label: string; name: string }) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      hint="At least 12 characters."
      autoComplete="new-password"
      minLength={12}
      maxLength={256}
      required
    />
  );
}
