import { ApiError } from '@lilac/contract/client';
import type { ErrorCode } from '@lilac/contract/errors';
import { inConsoleWords } from './in-console-words.ts';
import { LostAnswer } from './lost-answer.ts';
import { nameField } from './name-field.ts';
import { Refusal } from './refusal.ts';
import { sayDatabase } from './say-database.ts';
import { showMarks } from './visible-name.ts';

interface ErrorText {
  message: string;
  /** What to quote when asking for help. */
  reference: string | null;
}

const OLD_PAGE = 'The platform does not understand this page any more: it was upgraded meanwhile. Reload the page.';

const LOST = 'The answer was lost: it may have been done. Look before you try again.';

const NOT_ALLOWED = 'Your role does not allow this. Ask an owner or an admin of the organisation.';

/** These speak to whoever wrote the program that called. Here that was us, and people need to know what to do. */
const forPeople: Partial<Record<ErrorCode, string>> = {
  CA001: 'You are signed out. Reload the page and sign in.',
  CA004: 'You are not a member of this organisation any more. Choose another one.',
  CA006: 'Only a signed-in person may do this. Reload the page and sign in.',
  CA007: OLD_PAGE,
  CA011: 'This took too long, or was done already. Begin again.',
  NF002: OLD_PAGE,
  MT001: OLD_PAGE,
  MT002: OLD_PAGE,
  MT003: OLD_PAGE,
  VA002: OLD_PAGE,
  FF001: 'This is switched off on this platform. Whoever runs it can switch it on.',
  SV001: 'Something went wrong on our side. Try again; if it stays so, tell whoever runs the platform this number.',
};

/** The API's other messages are written for people, so they are shown as they are. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof Refusal) return { message: error.message, reference: null };
  if (error instanceof LostAnswer) return { message: LOST, reference: null };
  if (!(error instanceof ApiError)) {
    return { message: 'The platform does not answer. Check the connection and try again.', reference: null };
  }
  const { code, errorId, retryAfterSeconds } = error;
  const message = forPeople[code as ErrorCode] ?? showMarks(inPeoplesWords(error));
  return {
    message: retryAfterSeconds === null ? message : sayWhen(message, retryAfterSeconds),
    // What people can mend themselves needs no number.
    reference: errorId ?? (error.status >= 500 ? code : null),
  };
}

function inPeoplesWords({ code, message }: ApiError): string {
  if (code === 'DB001') return sayDatabase(message);
  if (code === 'VA001') return asSentence(inConsoleWords(nameField(message)));
  if (/^The role "\w+" does not have the permission/.test(message)) return NOT_ALLOWED;
  return inConsoleWords(message);
}

const asSentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`);

/**
 * Whether the same question can get another answer. A refusal stays one until something else was changed, and what may
 * have been done is not done again unseen.
 */
export function canBeAskedAgain(error: unknown): boolean {
  if (error instanceof LostAnswer) return false;
  return !(error instanceof ApiError) || !FINAL.has(error.status);
}

const FINAL = new Set([400, 402, 403, 404, 405, 410, 413, 415, 417]);

function sayWhen(message: string, seconds: number): string {
  const isLong = seconds > 90;
  const count = isLong ? Math.ceil(seconds / 60) : seconds;
  const wait = `Try again in ${count} ${isLong ? 'minute' : 'second'}${count === 1 ? '' : 's'}.`;
  return `${message.replace(/ *Try again (later|shortly)\.$/, '')} ${wait}`;
}
