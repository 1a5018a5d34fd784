import type { EdgeError } from '../answer.ts';
import { contentOf, errorContent, isForPerson, type ErrorContent } from '../pages/error-content.ts';
import { renderPasswordPage } from './password-page.ts';

const variesBy = 'Accept, Cookie';

export const locked: EdgeError = {
  code: 'CA012',
  title: 'This address is protected',
  message: 'This address is protected by a password. Open it in a browser, or send the cookie that unlocking gives.',
  variesBy,
};

export const wrongPassword: EdgeError = {
  code: 'CA012',
  title: 'That was not the password',
  message: 'That was not the password.',
  variesBy,
};

export function tooManyAttempts(retryAfterSeconds: number): EdgeError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes > 1 ? `${minutes} minutes` : 'a minute';
  return {
    code: 'CA009',
    title: 'Too many attempts',
    message: `Too many attempts. Try again in ${wait}.`,
    retryAfterSeconds,
    variesBy,
  };
}

export const cannotCheck: EdgeError = {
  code: 'SV002',
  title: 'Back in a moment',
  message: 'The password cannot be checked right now. Try again in a few seconds.',
  retryAfterSeconds: 5,
  variesBy,
};

/** Asks for the password: a person by a page with a form, a program is only told. */
export function passwordContent(error: EdgeError, accept: string, next: string): ErrorContent {
  if (!isForPerson(accept)) return errorContent(error, accept);
  const problem = error === locked ? null : (error.message ?? error.title);
  return contentOf(error, renderPasswordPage({ problem, next }), 'text/html');
}
