import { Field } from './field.tsx';

/** The bounds are the contract's. */
export function NewPasswordField({ label, name }: { label: string; name: string }) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      hint="At least 8 characters; a few words are best."
      autoComplete="new-password"
      minLength={8}
      maxLength={256}
      required
    />
  );
}
