import type { ChangeEvent } from 'react';
import { PasswordField } from './password-field.tsx';

interface NewPasswordFieldProps {
  label: string;
  name: string;
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** The bounds are the contract's. */
export function NewPasswordField({ label, name, onChange }: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      name={name}
      hint="At least 8 characters; a few words are best."
      autoComplete="new-password"
      minLength={8}
      longest={256}
      onChange={onChange}
      required
    />
  );
}
