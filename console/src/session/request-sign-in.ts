import { errorOf } from '@lilac/contract/client';
import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';

type SignInAnswer = OutputOf<Endpoints['auth.login']>;

/** The console's own back end: only it can turn a password into what /api/auth/login accepts. */
export async function requestSignIn(credentials: { email: string; password: string }): Promise<SignInAnswer> {
  const response = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as SignInAnswer;
}
