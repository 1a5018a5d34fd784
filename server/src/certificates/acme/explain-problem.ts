import { AuthorityRefused, AuthorityUnavailable } from '../certificate-authority.ts';
import type { AcmeProblem, Problem } from './acme-problem.ts';

export interface Circumstances {
  hostnames: readonly string[];
  now: Date;
}

const LIMIT_PAUSE_MS = 60 * 60_000;

/** What went wrong at an authority, in words for whoever owns the name. */
export function explainProblem(error: AcmeProblem, about: Circumstances): AuthorityRefused | AuthorityUnavailable {
  const problem = innermost(error.problem);
  const isLimit = problem.type === 'rateLimited' || error.status === 429;
  if (isLimit) return explainLimit(error, problem, about.now);
  if (error.status >= 500 || problem.type === 'serverInternal') {
    const said = problem.detail ? ` It says: ${ended(problem.detail)}` : '';
    // Who says so and until when means everybody.
    const isForAll = error.status === 503 && error.retryAt !== null;
    const until = { retryAt: error.retryAt, isForAll };
    return new AuthorityUnavailable(`The certificate authority is out of order.${said}`, until);
  }
  return new AuthorityRefused(wordsFor(problem, about), { retryAt: error.retryAt });
}

/** `compound` says nothing by itself. */
function innermost(problem: Problem): Problem {
  return problem.subproblems[0] ? innermost(problem.subproblems[0]) : problem;
}

function explainLimit(error: AcmeProblem, problem: Problem, now: Date): AuthorityRefused {
  const at = error.retryAt ?? new Date(now.getTime() + LIMIT_PAUSE_MS);
  const said = problem.detail ? ` It says: ${ended(problem.detail)}` : '';
  return new AuthorityRefused(`A limit of the certificate authority is reached.${said}`, {
    retryAt: at,
    isForAll: isOfAccount(problem),
  });
}

/** As Let's Encrypt words what it counts for an account or an address, now or in years past. */
const OF_ACCOUNT =
  /\bfrom this (?:account|IP address|\S+ subnet of IPv6 addresses)|\btoo many new orders\b|\bpending authorizations\b|\bservice busy\b/i;

/**
 * Only what says so is about the account, and whoever says nothing at all: a proxy before the authority. Every other
 * limit is the name's that is ordered, though the words may name nobody; what is one name's must not stop all others.
 */
function isOfAccount({ type, detail }: Problem): boolean {
  const isWordless = type === '' && detail === '';
  return isWordless || OF_ACCOUNT.test(detail);
}

function wordsFor({ type: given, detail, name: named }: Problem, { hostnames }: Circumstances): string {
  const name = named ?? hostnames[0] ?? 'it';
  // Said of no name, it is about the account.
  const type = given === 'unauthorized' && named === null ? '' : given;
  const said = detail ? ` It says: ${ended(detail)}` : '';
  switch (type) {
    case 'dns':
      return `The certificate authority could not look up ${name} in DNS.${said} Check its records, CAA and DNSSEC too.`;
    case 'connection':
    case 'tls':
      return (
        `The certificate authority could not reach http://${name}/.${said} Port 80 must be open to the world at every ` +
        'address that the name has, and lead to this platform: check A and AAAA records, and firewalls.'
      );
    case 'unauthorized':
    case 'incorrectResponse':
      return (
        `Something else than this platform answered the certificate authority for ${name}.${said} Every A, AAAA and ` +
        'CNAME record of the name must lead to this platform.'
      );
    case 'caa':
      return (
        `The CAA records of ${name}, or of a name above it, do not let this certificate authority issue.${said} ` +
        'Add a CAA record that allows it, or remove those there are.'
      );
    case 'rejectedIdentifier':
    case 'unsupportedIdentifier':
      return `The certificate authority gives no certificates for ${name}.${said} Use another name.`;
    case 'externalAccountRequired':
      return `This certificate authority serves only accounts that were set up there beforehand.${said} Whoever runs this platform has to choose another with LILAC_ACME_DIRECTORY.`;
    case 'userActionRequired':
      return `The certificate authority wants something of whoever runs this platform first.${said}`;
    default:
      return `The certificate authority refused.${said || ' It gives no reason.'}`;
  }
}

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
