import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EdgeError } from '../answer.ts';
import { expectsContinue } from '../framing.ts';
import { noSuchApp } from '../pages/app-errors.ts';
import { errorContent, type ErrorContent } from '../pages/error-content.ts';
import type { createUnlockCaller, UnlockAnswer } from './call-unlock.ts';
import { safeNextPath } from './next-path.ts';
import { cannotCheck, passwordContent, tooManyAttempts, wrongPassword } from './password-answers.ts';
import { readForm } from './read-form.ts';

export interface UnlockExchange {
  request: IncomingMessage;
  response: ServerResponse;
  environmentId: string;
  /** The client's. */
  address: string;
  protocol: 'http' | 'https';
}

/** Answers the password's form: on to where the person wanted to go, or the form again. */
export async function answerUnlock(
  { request, response, environmentId, address, protocol }: UnlockExchange,
  callUnlock: ReturnType<typeof createUnlockCaller>,
): Promise<void> {
  const accept = request.headers.accept ?? '';
  if (expectsContinue(request)) response.writeContinue();
  const form = await readForm(request);
  if (!form) return refuseForm(response, accept);
  const next = safeNextPath(form.get('next') ?? '/');
  const password = form.get('password') ?? '';
  const answer = await callUnlock({ environmentId, password, address, protocol });
  if (answer?.status === 200) return goOn(response, next, answer.cookies);
  const error = answer ? problemOf(answer) : cannotCheck;
  write(response, error === noSuchApp ? errorContent(error, accept) : passwordContent(error, accept, next));
}

function problemOf({ status, retryAfterSeconds }: UnlockAnswer): EdgeError {
  if (status === 429) return tooManyAttempts(retryAfterSeconds);
  if (status === 404) return noSuchApp;
  // What cannot be a password is none.
  return status === 401 || status === 400 ? wrongPassword : cannotCheck;
}

function goOn(response: ServerResponse, next: string, cookies: readonly string[]): void {
  const headers = { Location: next, 'Cache-Control': 'no-store', 'Content-Length': 0 };
  response.writeHead(303, cookies.length > 0 ? { ...headers, 'Set-Cookie': [...cookies] } : headers);
  response.end();
}

/** Not all of it was read: the connection ends. */
function refuseForm(response: ServerResponse, accept: string): void {
  response.shouldKeepAlive = false;
  write(response, errorContent(notTheForm, accept));
}

function write(response: ServerResponse, { status, headers, body }: ErrorContent): void {
  response.writeHead(status, headers.flat());
  response.end(body);
}

const notTheForm: EdgeError = {
  code: 'VA001',
  title: 'This is not understood',
  message: 'Send the password as a form: application/x-www-form-urlencoded, at most 8 KB.',
};
