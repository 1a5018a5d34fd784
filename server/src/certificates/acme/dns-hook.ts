import { run } from '../../lib/exec.ts';
import { harmless } from '../../lib/harmless-text.ts';
import { redactText } from '../../lib/redact-secrets.ts';
import { AuthorityRefused } from '../certificate-authority.ts';

const PATIENCE_MS = 120_000;
const MAX_TEXT = 400;

export interface DnsHook {
  program: string;
  /** Of this machine: they may name a proxy. */
  hostVariables: Readonly<Record<string, string>>;
}

/** Runs the operator's program that creates and removes TXT records. */
export async function callDnsHook(
  { program, hostVariables }: DnsHook,
  { verb, name, value, signal }: { verb: 'set' | 'remove'; name: string; value: string; signal?: AbortSignal },
): Promise<void> {
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...hostVariables };
  const finished = await run([program, verb, name, value], { env, timeoutMs: PATIENCE_MS, signal }).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error;
      throw refused(name, error instanceof Error ? error.message : String(error));
    },
  );
  if (finished.exitCode === 0) return;
  const said = harmless(finished.stderr).trim().slice(-MAX_TEXT);
  const ended =
    finished.exitCode === null ? `it was ended by ${finished.signal}` : `it ended with ${finished.exitCode}`;
  throw refused(name, said ? `${ended}: ${said}` : ended);
}

/** What such a program says may hold keys and addresses of the operator's: people whose name it is are not told. */
function refused(name: string, why: string): AuthorityRefused {
  return new AuthorityRefused(
    `The TXT record ${name} could not be written: the DNS hook of whoever runs this platform failed. They find why in ` +
      'its log.',
    { forOperator: `The program that LILAC_DNS_HOOK names failed: ${redactText(why)}.` },
  );
}
