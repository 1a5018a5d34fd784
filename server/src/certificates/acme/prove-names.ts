import type { Authorization, Client, Order } from 'acme-client';
import { AuthorityRefused, type CertificateOrder } from '../certificate-authority.ts';
import { AcmeProblem, readProblem } from './acme-problem.ts';
import { waitForStatus } from './wait-for-status.ts';

type Challenge = Authorization['challenges'][number];

/** Shows that every name of the order is ours: by HTTP, or by DNS for wildcards. */
export async function proveNames(
  client: Client,
  { order, wanted }: { order: Order; wanted: CertificateOrder },
): Promise<void> {
  const open = (await client.getAuthorizations(order)).filter(({ status }) => status !== 'valid');
  const steps = open.map((authorization) => ({ authorization, challenge: choose(authorization, wanted) }));
  // All of them are published before the authority looks for the first: what two names share must be whole by then.
  for (const { authorization, challenge } of steps) await publish(client, authorization, { challenge, wanted });
  for (const { challenge } of steps) if (challenge.status === 'pending') await client.completeChallenge(challenge);
  await Promise.all(steps.map(({ authorization }) => waitUntilProved(client, authorization, wanted.signal)));
}

/** What was proved before by records, by somebody who did not come to remove them. */
export async function adoptTexts(client: Client, order: Order, { answers }: CertificateOrder): Promise<void> {
  for (const { status, identifier, challenges } of await client.getAuthorizations(order)) {
    const proved = challenges.find(({ type }) => type === 'dns-01');
    if (status !== 'valid' || proved?.status !== 'valid') continue;
    answers.adoptText(recordFor(identifier.value), await client.getChallengeKeyAuthorization(proved));
  }
}

const recordFor = (name: string): string => `_acme-challenge.${name}`;

/** A wildcard can be proved by DNS only; what is ordered together with it then is, too. */
function choose(authorization: Authorization, { answers, hostnames }: CertificateOrder): Challenge {
  const { identifier, wildcard, challenges } = authorization;
  const name = wildcard ? `*.${identifier.value}` : identifier.value;
  const [byHttp, byDns] = ['http-01', 'dns-01'].map((type) => challenges.find((challenge) => challenge.type === type));
  const isByDns = hostnames.some((hostname) => hostname.startsWith('*.'));
  if (byHttp && !isByDns) return byHttp;
  if (byDns && answers.createText) return byDns;
  throw new AuthorityRefused(
    byDns
      ? `A certificate for ${name} needs a TXT record that this platform has no way to create: whoever runs it has to ` +
          'set LILAC_DNS_HOOK. Names without a star need none.'
      : `The certificate authority offers no way that this platform knows to prove that ${name} is its own.`,
  );
}

async function publish(
  client: Client,
  { identifier }: Authorization,
  { challenge, wanted: { answers } }: { challenge: Challenge; wanted: CertificateOrder },
): Promise<void> {
  const answer = await client.getChallengeKeyAuthorization(challenge);
  if (challenge.type === 'http-01') await answers.publish(challenge.token, answer);
  else await answers.createText!(recordFor(identifier.value), answer);
}

async function waitUntilProved(client: Client, authorization: Authorization, signal: AbortSignal): Promise<void> {
  const { url, identifier } = authorization;
  const ask = async () => (await client.getAuthorizations({ authorizations: [url] } as Order))[0]!;
  const { status, challenges } = await waitForStatus(ask, { unlike: ['pending'], signal });
  if (status === 'valid') return;
  const failed = challenges.find(({ error }) => error !== undefined);
  const problem = readProblem(failed?.error);
  const detail = problem.detail || `The proof for ${identifier.value} is ${status}.`;
  throw new AcmeProblem({ ...problem, detail, name: identifier.value }, { status: 400, retryAt: null });
}
