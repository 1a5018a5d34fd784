import { ApiError } from '@lilac/contract/client';
import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import { DeploymentFailed, SignedOut, WaitTimedOut } from '@lilac/sdk';
import { NotSignedIn } from '../session/not-signed-in.ts';
import { listsOfHosts } from '../repository-hosts/lists-of-hosts.ts';
import { UnexpectedAnswer } from './answer-watch.ts';
import { GaveUp } from './gave-up.ts';
import { isConnectionFailure, isCutOff } from './lost-answer.ts';
import type { Command } from './command.ts';
import { inOwnWords } from './own-words.ts';
import { plainText } from '../terminal/printable.ts';
import { version } from './version.ts';

/** What to do about an answer, where its message alone does not say. */
const nextSteps: Record<string, string> = {
  CA001: 'Sign in with "lilac login", or set LILAC_TOKEN to an API key.',
  CA002:
    'Sign in again with "lilac login"; or set LILAC_TOKEN anew: a session token lives 15 minutes, and a key may have been revoked or its plan changed.',
  CA003: 'Leave --org out, or use a key of that organisation.',
  CA004: 'Run "lilac whoami" to see your organisations.',
  CA005: 'Ask an owner of the organisation for another role.',
  CA006: 'An API key may not do this: unset LILAC_TOKEN and sign in with "lilac login".',
  CA007: 'Add --org with the organisation, or choose one with "lilac orgs use"; "lilac orgs list" shows yours.',
  NF001: 'The list commands show the ids there are.',
  NF002: 'Check LILAC_API_URL or --api-url: it should be the address of the platform, without a path.',
};

/** A failure as people are told it, and as programs are. */
export interface Explained {
  /** The platform's own, or one of this program's, which are words. */
  code: string;
  /** What happened, then what to do. */
  lines: string[];
  /** What else the platform said. */
  more?: { status: number; errorId: string | null; retryAfterSeconds: number | null };
}

/** Throws what nobody expected. */
export function explainError(error: unknown, apiUrl: string, command: Command): Explained {
  if (error instanceof ApiError) return explainAnswer(error, command);
  if (error instanceof NotSignedIn) return { code: 'NOT_SIGNED_IN', lines: error.message.split('\n') };
  if (error instanceof SignedOut) return { code: 'NOT_SIGNED_IN', lines: noLongerSignedIn(apiUrl) };
  if (error instanceof GaveUp || error instanceof DeploymentFailed || error instanceof WaitTimedOut) {
    return { code: 'STOPPED', lines: error.message.split('\n') };
  }
  if (error instanceof UnexpectedAnswer) return { code: 'NOT_LILAC', lines: otherShape(apiUrl, error) };
  if (isCutOff(error)) return { code: 'CUT_OFF', lines: cutOff(apiUrl, error) };
  if (isConnectionFailure(error)) return { code: 'UNREACHABLE', lines: unreachable(apiUrl, error) };
  if (error instanceof SyntaxError) {
    return {
      code: 'NOT_LILAC',
      lines: [`What answers at ${apiUrl} is not Lilac.`, 'Check LILAC_API_URL or --api-url.'],
    };
  }
  throw error;
}

const noLongerSignedIn = (apiUrl: string) => [
  `You are no longer signed in at ${apiUrl}.`,
  'Sign in again with "lilac login".',
];

const otherShape = (apiUrl: string, { endpoint }: UnexpectedAnswer) => [
  `What answers at ${apiUrl} is not Lilac, or one of another version: ${declarationOf(endpoint).path} answered something else than this command line (${version()}) knows.`,
  'Check LILAC_API_URL or --api-url; or use the command line that came with that platform.',
];

const cutOff = (apiUrl: string, error: Failure) => [
  `The connection to ${apiUrl} broke off before the whole answer had come (${reasonOf(error)}).`,
  'What you asked for may have been done all the same: look, then try again.',
];

const unreachable = (apiUrl: string, error: Failure) => [
  `Nothing answers at ${apiUrl} (${reasonOf(error)}).`,
  'Start the platform ("npm start" in its folder), or say where it is: LILAC_API_URL, --api-url, "lilac login <address>".',
];

function explainAnswer(error: ApiError, command: Command): Explained {
  const { status, retryAfterSeconds } = error;
  // Whatever stands between may have said it.
  const [code, errorId] = [plainText(error.code), error.errorId && plainText(error.errorId)];
  const lines = [
    plainText(inOwnWords(error.message, command)),
    ...(retryAfterSeconds === null ? [] : [`Try again in ${retryAfterSeconds} seconds.`]),
    ...(errorId === null ? [] : [`Whoever runs the platform finds it in the log by ${errorId}.`]),
    ...nextStepAfter(error, command.endpoint),
  ];
  return { code, lines, more: { status, errorId, retryAfterSeconds } };
}

/** Uploads are the one thing with an id that no command lists: each is used once, soon after it was made. */
function nextStepAfter({ code, message }: ApiError, endpoint: EndpointName | null): string[] {
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

type Failure = { cause: NodeJS.ErrnoException };

function reasonOf({ cause }: Failure): string {
  return cause.code ?? cause.message;
}
