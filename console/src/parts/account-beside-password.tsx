/** Password managers look for the account beside the password. */
export function AccountBesidePassword({ email }: { email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}
