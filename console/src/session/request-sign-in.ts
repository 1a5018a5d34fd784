import { ApiError } from '@lilac/contract/client';
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

interface RefusalBody {
  code: string;
  message: string;
  errorId?: string;
}

async function errorOf(response: Response): Promise<ApiError> {
  const { code, message, errorId = null } = (await response.json()) as RefusalBody;
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || null;
  return new ApiError({ status: response.status, code, message, errorId, retryAfterSeconds });
}
