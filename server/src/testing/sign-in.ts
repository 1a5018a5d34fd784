import { encryptConsolePassword } from '../modules/accounts/console-password.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import type { Answer, TestApi } from './harness.ts';

export interface SignInByPassword {
  email: string;
  password: string;
  /** Where the person sits. */
  address?: string;
  headers?: Record<string, string>;
}

/** `POST /api/auth/login` with the password encrypted as the console back end does it. */
export async function signInByPassword(
  api: TestApi,
  { email, password, address = '127.0.0.1', headers }: SignInByPassword,
): Promise<Answer> {
  const key = await platformSecret(api, 'console-password');
  const response = await api.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: address,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ email, password: await encryptConsolePassword(key, password, api.clock) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers as Answer['headers'],
    body: response.json(),
    text: response.body,
  };
}
