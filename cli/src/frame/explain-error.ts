import { ApiError } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import { SignedOut } from '@lilac/sdk';
import { GaveUp } from './gave-up.ts';
import { isConnectionFailure, isCutOff } from './lost-answer.ts';
import { inOwnWords } from './own-words.ts';
import { plainText } from '../terminal/printable.ts';

/** What to do about an answer, where its message alone does not say. */
const nextSteps: Record<string, string> = {
  CA001: 'Set LILAC_TOKEN to an API key or a session token.',
  CA002: 'Set LILAC_TOKEN anew: a session token lives 15 minutes, and a key may have been revoked or its plan changed.',
  CA003: 'Leave --org out, or use a key of that organisation.',
  CA004: 'Run "lilac whoami" to see your organisations.',
  CA005: 'Ask an owner of the organisation for another role.',
  CA006:
    'Set LILAC_TOKEN to a session token instead of an API key. Whoever runs the platform makes one on its machine ' +
    '(lilac admin session create --email …), or you get one by a device sign-in (POST /api/auth/device/code), which ' +
    'you approve in the console.',
  CA007: 'Add --org with the id of an organisation; "lilac whoami" shows yours.',
  CA008: 'An owner can change the plan: lilac orgs plan pro --org ID',
  NF001: 'The list commands show the ids there are.',
  NF002: 'Check LILAC_API_URL: it should be the address of the platform, without a path.',
};

/** What names things by more than an id of ours: which command lists them. */
const listsOfHosts: Partial<Record<EndpointName, string>> = {
  'vcs-app.branches': 'vcs repos',
  'vcs-app.link-installation': 'vcs visible-installations',
  'vcs-app.unlink-installation': 'vcs installations',
  'vcs-app.uninstall': 'vcs installations',
  'provider2.branches': 'provider2 repos',
  'provider2.link-connection': 'provider2 own-connections',
  'provider2.unlink-connection': 'provider2 connections',
  'provider2.disconnect': 'provider2 own-connections',
  'provider3.branches': 'provider3 repos',
  'provider3.link-connection': 'provider3 own-connections',
  'provider3.unlink-connection': 'provider3 connections',
  'provider3.disconnect': 'provider3 own-connections',
};

/** A failure as lines for people: what happened, then what to do. */
export function explainError(error: unknown, apiUrl: string, endpoint: EndpointName | null): string[] {
  if (error instanceof ApiError) return explainAnswer(error, endpoint ?? undefined);
  if (error instanceof SignedOut)
    return [`You are no longer signed in at ${apiUrl}.`, 'Sign in again with "lilac login".'];
  if (error instanceof GaveUp) return [error.message];
  if (isCutOff(error)) {
    return [
      `The connection to ${apiUrl} broke off before the whole answer had come (${reasonOf(error)}).`,
      'What you asked for may have been done all the same: look, then try again.',
    ];
  }
  if (isConnectionFailure(error)) {
    return [
      `Nothing answers at ${apiUrl} (${reasonOf(error)}).`,
      'Start the platform ("npm start" in its folder), or set LILAC_API_URL to where it is.',
    ];
  }
  if (error instanceof SyntaxError) {
    return [`What answers at ${apiUrl} is not Lilac.`, 'Check LILAC_API_URL.'];
  }
  throw error;
}

function explainAnswer(error: ApiError, endpoint: EndpointName | undefined): string[] {
  return [
    `${plainText(inOwnWords(error.message, endpoint))} (${error.code})`,
    ...(error.retryAfterSeconds === null ? [] : [`Try again in ${error.retryAfterSeconds} seconds.`]),
    ...(error.errorId === null ? [] : [`Whoever runs the platform finds it in the log by ${error.errorId}.`]),
    ...nextStepAfter(error, endpoint),
  ];
}

/** Uploads are the one thing with an id that no command lists: each is used once, soon after it was made. */
function nextStepAfter({ code, message }: ApiError, endpoint: EndpointName | undefined): string[] {
  if (code === 'NF001' && message.startsWith('Upload ')) {
    return ['Request a new upload (POST /api/upload/request-url): one that was never used is gone after a day.'];
  }
  if (code === 'NF001' && message.startsWith('There is no table ')) {
    return ['"lilac db schema" lists tables with their columns.'];
  }
  if (code === 'CA006' && endpoint === 'organisations.activity') {
    return ['What was done to one environment, keys may read: "lilac envs activity".', nextSteps[code]!];
  }
  const list = endpoint && code === 'NF001' ? listsOfHosts[endpoint] : undefined;
  if (list) return [`"lilac ${list}" lists what there is.`];
  const step = nextSteps[code];
  return step ? [step] : [];
}

function reasonOf({ cause }: { cause: NodeJS.ErrnoException }): string {
  return cause.code ?? cause.message;
}
