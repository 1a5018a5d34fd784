import { email, name, password } from '@lilac/contract/common-shapes';
import { invalid } from '../../lib/fault.ts';
import { refuseObvious } from './obvious-password.ts';

export interface NewAccount {
  email: string;
  password: string;
  firstName: string;
}

/** The contract's own rules, for callers that do not come through it (the operator's commands). */
export function checkNewAccount(input: Omit<NewAccount, 'firstName'> & { firstName?: string }): NewAccount {
  const address = input.email.trim();
  const firstName = input.firstName?.trim() || address.split('@')[0]!;
  if (!email.safeParse(address).success) throw invalid(`"${address}" is not an e-mail address.`);
  if (!password.safeParse(input.password).success) throw invalid('The password must have 8 to 256 characters.');
  refuseObvious(input.password, { email: address, field: 'password' });
  if (!name.safeParse(firstName).success) throw invalid('The name must have 1 to 100 characters.');
  return { email: address, password: input.password, firstName };
}
