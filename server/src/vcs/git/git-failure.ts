import { Fault } from '../../lib/fault.ts';
import { authorizationOf } from './git-environment.ts';
import type { Repository } from './repository.ts';
import type { GitResult } from './run-git.ts';

/** What is in the mirror cannot be used; it is dropped and fetched again. Never leaves this folder. */
export class MirrorBroken extends Error {}

/** Whoever asked no longer wants the answer. */
export function throwIfStopped(repository: Repository, { stopped }: GitResult, signal?: AbortSignal): void {
  if (stopped === 'aborted') throw signal?.reason instanceof Fault ? signal.reason : abortedBy(signal);
  if (stopped === 'timeout') {
    throw tooLate(repository);
  }
  if (stopped === 'output') throw new Fault('VA003', `${nameOf(repository)} has more branches than can be read.`);
}

/** Nothing is wrong with the repository, as far as anybody knows: it is the host that keeps people waiting. */
export function tooLate(repository: Repository): Fault {
  const message = `${hostOf(repository.url)} did not answer in time for ${nameOf(repository)}. Try again in a moment.`;
  return new Fault('SV002', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

const RETRY_AFTER_SECONDS = 30;

/** Why the host did not give what it was asked for; null when the fault is not known to be the host's. */
export function remoteFault(repository: Repository, { stderr }: GitResult): Fault | null {
  const known = KNOWN.find(({ pattern }) => pattern.test(stderr));
  if (!known) return null;
  const detail = withoutSecrets(repository, stderr);
  return known.isHostDown
    ? new Fault('SV002', known.message(repository), { detail, retryAfterSeconds: RETRY_AFTER_SECONDS })
    : new Fault('VA003', known.message(repository), { detail });
}

export function unknownFault(repository: Repository, { stderr, exitCode }: GitResult): Fault {
  const detail = { exitCode, stderr: withoutSecrets(repository, stderr) };
  return new Fault('VA003', `${nameOf(repository)} could not be read from ${hostOf(repository.url)}.`, { detail });
}

/** For whoever asked: a mirror that stays broken is none of their business. */
export function toFault({ owner, name }: Repository, error: unknown): unknown {
  if (!(error instanceof MirrorBroken)) return error;
  return (
    error.cause ?? new Fault('VA003', `${owner}/${name} could not be read. Try again in a moment.`, { cause: error })
  );
}

export const isMissingBranch = ({ stderr }: GitResult) => /couldn't find remote ref/.test(stderr);
export const isRedirect = ({ stderr }: GitResult) => /returned error: 30[12378]\b/.test(stderr);
export const lacksShallow = ({ stderr }: GitResult) => /Server does not support (shallow|--depth)/.test(stderr);
/** The host filters, but then does not give what it left out. */
export const refusesObjects = ({ stderr }: GitResult) =>
  /not our ref|unadvertised object|not allow request/.test(stderr);

export const TOO_LARGE_OBJECT =
  'has an object (a file, a folder or a commit) that is too large to be read. Remove it from the branch.';
const OUT_OF_MEMORY = /out of memory|cannot allocate memory|unable to create thread/i;
export const hasRunOutOfMemory = ({ exitCode, stderr }: GitResult) => exitCode !== 0 && OUT_OF_MEMORY.test(stderr);

/** git leaves passwords out of what it prints; this holds whatever a host may echo. */
function withoutSecrets({ credential }: Repository, text: string): string {
  if (!credential) return text;
  const encoded = authorizationOf(credential).slice('Authorization: Basic '.length);
  return [credential.password, encoded, encodeURIComponent(credential.password)]
    .filter((secret) => secret.length > 0)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** Names of branches for a message, the likeliest first. */
export function missingBranch(repository: Repository, branch: string, branches: readonly string[]): Fault {
  if (branches.length === 0) {
    return new Fault('VA003', `${nameOf(repository)} is empty: push a commit to the branch ${branch} first.`);
  }
  const some = branches.toSorted((one, other) => rank(one, branch) - rank(other, branch)).slice(0, 5);
  const more = branches.length > some.length ? `, and ${branches.length - some.length} more` : '';
  const message = `${nameOf(repository)} has no branch ${branch}. It has ${some.join(', ')}${more}.`;
  return new Fault('VA003', message);
}

function rank(name: string, wanted: string): number {
  if (name.toLowerCase() === wanted.toLowerCase()) return 0;
  if (name === 'main' || name === 'master') return 1;
  return name.includes(wanted) || wanted.includes(name) ? 2 : 3;
}

function abortedBy(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('This operation was aborted', 'AbortError');
}

const nameOf = ({ owner, name }: Repository) => `${owner}/${name}`;
const hostOf = (url: string) => URL.parse(url)?.host ?? 'the host';

interface KnownFailure {
  pattern: RegExp;
  message: (repository: Repository) => string;
  /** It may well work in a while, as it is. */
  isHostDown?: boolean;
}

const KNOWN: readonly KnownFailure[] = [
  // First: what breaks because of it says other things too.
  { pattern: OUT_OF_MEMORY, message: (repository) => `${nameOf(repository)} ${TOO_LARGE_OBJECT}` },
  {
    pattern: /Could not resolve (host|proxy)/,
    message: ({ url }) => `The host ${hostOf(url)} cannot be found: its name does not resolve. Check the address.`,
  },
  {
    pattern:
      /Failed to connect|Couldn't connect|Connection (refused|timed out|reset)|No route to host|Network is unreach/,
    message: ({ url }) => `The host ${hostOf(url)} cannot be reached. Check the address, or try again in a moment.`,
    isHostDown: true,
  },
  {
    pattern: /certificate|gnutls_handshake|SSL_|TLS/,
    message: ({ url }) => `The host ${hostOf(url)} has no certificate that this platform trusts.`,
  },
  {
    pattern: /could not read (Username|Password)|Authentication failed|returned error: (401|403|404|410)|' not found/,
    message: (repository) =>
      `${nameOf(repository)} was not found at ${hostOf(repository.url)}, or it is private. ` +
      `Check the spelling; a private repository has to be connected first, with "lilac ${
        repository.provider === 'provider1' ? 'vcs install' : `${repository.provider} connect`
      }".`,
  },
  {
    pattern: /returned error: 429/,
    message: ({ url }) => `${hostOf(url)} asks for fewer requests. Try again in a few minutes.`,
    isHostDown: true,
  },
  {
    pattern: /returned error: 5\d\d/,
    message: ({ url }) => `${hostOf(url)} answered with an error of its own. Try again in a moment.`,
    isHostDown: true,
  },
  {
    pattern: /Operation too slow/,
    message: (repository) => tooLate(repository).message,
    isHostDown: true,
  },
  {
    pattern: /RPC failed|early EOF|unexpected disconnect|hung up unexpectedly|Empty reply|Recv failure/,
    message: ({ url }) => `The connection to ${hostOf(url)} broke. Try again in a moment.`,
    isHostDown: true,
  },
  {
    pattern: /dumb http transport/,
    message: ({ url }) => `${hostOf(url)} only serves files: it has to speak git's smart protocol.`,
  },
  {
    pattern: /fsck error/,
    message: (repository) =>
      `${nameOf(repository)} holds names that may not be written to a disk, such as ".git" or "..": ` +
      'remove them from the branch.',
  },
];
