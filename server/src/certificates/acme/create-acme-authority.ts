import { Client, crypto as acmeCrypto, type Authorization, type Order } from 'acme-client';
import type { AcmeSettings } from '../../config/acme-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  AuthorityRefused,
  CertificateUnknown,
  type CertificateAuthority,
  type CertificateOrder,
} from '../certificate-authority.ts';
import { openAccount, type AccountDeps } from './acme-account.ts';
import { findPause, pauseAccount } from './acme-account-store.ts';
import { AcmeProblem, readProblem } from './acme-problem.ts';
import { withTransport } from './acme-transport.ts';
import { explainProblem } from './explain-problem.ts';
import { adoptTexts, proveNames } from './prove-names.ts';
import { trustedBy } from './trusted-by.ts';
import { waitForStatus } from './wait-for-status.ts';

export interface AcmeDeps extends AccountDeps {
  clock: Clock;
  settings: Pick<AcmeSettings, 'email' | 'caFile'> & { directoryUrl: string };
  /** Of this machine: they may name a proxy. */
  hostVariables: Readonly<Record<string, string>>;
}

const NOTHING_SENT = 'The order is done, and there is no certificate.';
const UNKNOWN = 'The certificate authority does not know this certificate, or not as one of this platform.';
const REVOKE_PATIENCE_MS = 60_000;

/** An authority that speaks ACME (RFC 8555). */
export function createAcmeAuthority(deps: AcmeDeps): CertificateAuthority {
  const { settings, clock, hostVariables } = deps;
  const asking = async <T>(hostnames: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      return await withTransport({ ca: trustedBy(settings), hostVariables, signal, clock }, work);
    } catch (error) {
      if (!(error instanceof AcmeProblem)) throw error;
      const explained = explainProblem(error, { hostnames, now: clock.now() });
      if (explained.isForAll && explained.retryAt !== null)
        await pauseAccount(deps.store.db, settings.directoryUrl, explained.retryAt);
      throw explained;
    }
  };
  // Settings may have changed since the account was made: the authority is told of them once.
  let isTold = false;
  const openClient = async (isKnown: boolean): Promise<Client> => {
    const account = await openAccount(deps, settings.directoryUrl);
    const accountUrl = isKnown ? (account.url ?? undefined) : undefined;
    const client = new Client({ directoryUrl: settings.directoryUrl, accountKey: account.key, accountUrl });
    if (accountUrl !== undefined && isTold) return client;
    const contact = settings.email === null ? [] : [`mailto:${settings.email}`];
    await client.createAccount({ termsOfServiceAgreed: true, contact });
    if (client.getAccountUrl() !== accountUrl) await account.noteUrl(client.getAccountUrl());
    isTold = true;
    return client;
  };
  /** An authority may have forgotten the account; it is made again then, with the same key. */
  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await work(await openClient(true));
    } catch (error) {
      if (!(error instanceof AcmeProblem && error.problem.type === 'accountDoesNotExist')) throw error;
      return work(await openClient(false));
    }
  };
  /** An order of an authority that was chosen before is nothing to this one. */
  const ofHere = (order: CertificateOrder): CertificateOrder => {
    const isHere =
      order.orderUrl !== null && URL.parse(order.orderUrl)?.origin === new URL(settings.directoryUrl).origin;
    return { ...order, orderUrl: isHere ? order.orderUrl : null };
  };
  return {
    async issue(order) {
      const until = await findPause(deps.store.db, settings.directoryUrl, clock.now());
      if (until !== null) throw paused(until);
      return asking(order.hostnames, order.signal, () => withClient((client) => fulfil(client, ofHere(order))));
    },
    revoke: (chain) =>
      asking([], AbortSignal.timeout(REVOKE_PATIENCE_MS), () => withClient((client) => revoke(client, chain))),
  };
}

const paused = (until: Date): AuthorityRefused =>
  new AuthorityRefused('The certificate authority takes no orders of this platform for now.', {
    retryAt: until,
    isForAll: true,
  });

async function fulfil(client: Client, wanted: CertificateOrder): Promise<string> {
  const { signal, privateKey, hostnames } = wanted;
  const askOrder = (order: Order) => () => client.getOrder(order);
  let order = await openOrder(client, wanted);
  if (order.status === 'pending') {
    await proveNames(client, { order, wanted });
    order = await waitForStatus(askOrder(order), { unlike: ['pending'], signal });
  }
  if (order.status === 'ready') {
    const [, csr] = await acmeCrypto.createCsr({ altNames: [...hostnames] }, privateKey);
    order = await client.finalizeOrder(order, csr);
  }
  if (order.status === 'processing') order = await waitForStatus(askOrder(order), { unlike: ['processing'], signal });
  if (order.status !== 'valid') throw new AcmeProblem(readProblem(order.error), { status: 400, retryAt: null });
  if (!order.certificate) throw new AcmeProblem(readProblem({ detail: NOTHING_SENT }), { status: 400, retryAt: null });
  return client.getCertificate(order);
}

/** The one that was begun, if it can still come to a good end; else a new one. */
async function openOrder(client: Client, wanted: CertificateOrder): Promise<Order> {
  const { orderUrl, hostnames } = wanted;
  const begun = orderUrl === null ? null : await findOrder(client, orderUrl);
  if (begun && (await isHopeful(client, begun))) {
    if (wanted.answers.createText) await adoptTexts(client, begun, wanted);
    return begun;
  }
  const identifiers = hostnames.map((value) => ({ type: 'dns', value }));
  const order = await client.createOrder({ identifiers });
  await wanted.onOrder(order.url);
  return order;
}

/** Authorities forget orders. */
async function findOrder(client: Client, url: string): Promise<Order | null> {
  try {
    return await client.getOrder({ url } as Order);
  } catch (error) {
    if (!(error instanceof AcmeProblem)) throw error;
    const isForgotten = error.status < 500 && error.status !== 429 && error.problem.type !== 'accountDoesNotExist';
    if (isForgotten) return null;
    throw error;
  }
}

async function isHopeful(client: Client, order: Order): Promise<boolean> {
  if (order.status !== 'pending') return order.status !== 'invalid';
  const authorizations: Authorization[] = await client.getAuthorizations(order);
  return authorizations.every(({ status }) => status === 'pending' || status === 'valid');
}

async function revoke(client: Client, chain: string): Promise<void> {
  try {
    // 4: another takes its place.
    await client.revokeCertificate(acmeCrypto.splitPemChain(chain)[0]!, { reason: 4 });
  } catch (error) {
    if (!(error instanceof AcmeProblem)) throw error;
    if (error.problem.type === 'alreadyRevoked') return;
    throw isUnknown(error) ? new CertificateUnknown(`${UNKNOWN} It says: ${error.message}`) : error;
  }
}

/** Some say that they do not find it (404), others that the request makes no sense, or that it is not one's own. */
function isUnknown({ status, problem: { type, detail } }: AcmeProblem): boolean {
  if (status === 404 || type === 'malformed') return true;
  // Of an account that was closed it says the same, and that is another matter.
  return type === 'unauthorized' && !/\baccount\b.*\b(?:not valid|deactivated|revoked)\b/i.test(detail);
}
