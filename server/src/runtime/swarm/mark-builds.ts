import type { Log } from '../../lib/log.ts';
import type { Firewall } from '../network/firewall/firewall.ts';
import { firewallMakers, NO_FIREWALL } from '../network/firewall/firewall-makers.ts';
import { createHostTools, NetworkFailure, NOT_ROOT } from '../network/host-tools.ts';
import { installationId } from '../network/names.ts';
import { PROGRAM_HOPS } from './init/agreement.ts';

/** Others may flush the machine's firewall at any time; so long at most it stays as they left it. */
const REFRESH_MS = 60_000;

export interface MarkBuildsOptions {
  /**
   * Not by LILAC_HOME: containers on one machine may have that by the same name, and none is to end another's rules.
   */
  hostId: string;
  log: Log;
  /** Tried in turn, until one does it. */
  firewalls?: readonly Firewall[];
  refreshMs?: number;
}

export interface BuildMarks {
  /** A sentence where builds of this host are not told from its machine. */
  lacking(): readonly string[];
  /** To be called when no build is left. */
  close(): Promise<void>;
}

/**
 * Builds have the machine's network, and tasks let in what machines send. So what builds send has the time to live of
 * what programs send: tasks refuse it, on whichever machine and by whatever address it comes to them, and nobody else
 * minds.
 */
export async function markBuilds(options: MarkBuildsOptions): Promise<BuildMarks> {
  const { hostId, log, firewalls = ownFirewalls(), refreshMs = REFRESH_MS } = options;
  const id = installationId(hostId);
  let reason: string | null = null;

  async function mark(): Promise<void> {
    const before = reason;
    reason = await whyNot(id, firewalls);
    if (reason !== null && reason !== before) log.warn({ reason }, 'builds reach the servers of others past the edge');
  }

  await mark();
  let last = Promise.resolve();
  const timer = setInterval(() => void (last = last.then(mark)), refreshMs).unref();
  return {
    lacking: () => (reason === null ? [] : [explain(reason)]),
    async close() {
      clearInterval(timer);
      await last;
      for (const firewall of firewalls) await firewall.remove(id).catch(unlessFailure);
    },
  };
}

const ownFirewalls = (): Firewall[] =>
  process.getuid?.() === 0 ? firewallMakers().map((make) => make(createHostTools())) : [];

/** Null when it is done. */
async function whyNot(id: string, firewalls: readonly Firewall[]): Promise<string | null> {
  const problems: string[] = [];
  for (const firewall of firewalls) {
    try {
      await firewall.markBuilds(id, PROGRAM_HOPS);
      return null;
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  if (problems.length > 0) return `No firewall works here (${problems.join('; ')}).`;
  return process.getuid?.() === 0 ? NO_FIREWALL : NOT_ROOT;
}

function unlessFailure(error: unknown): void {
  if (!(error instanceof NetworkFailure)) throw error;
}

const explain = (reason: string): string =>
  `Builds on this machine reach the servers of all organisations past the edge and its password page. ${reason} ` +
  'Run Lilac as root, with nftables installed (apt-get install nftables).';
