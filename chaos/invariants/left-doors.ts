import { run } from '../../server/src/lib/exec.ts';
import { installationId } from '../../server/src/runtime/network/names.ts';
import type { Expected } from './expected.ts';

const NAMES_PORT = 53;
const LIST_MS = 10_000;

/** Ports of databases that are gone, and that this machine's firewall still has rules for. */
export async function leftDoors({ home, ports }: Expected, publicPort: number): Promise<string[]> {
  const [nft, iptables] = await Promise.all([list('nft', '-n', 'list', 'ruleset'), list('iptables', '-S')]);
  const unheard = whyUnheard([nft, iptables]);
  if (unheard !== null) return [`the firewall cannot be asked for its rules: ${unheard}`];
  return portsInRules(installationId(home), { nft: nft.rules ?? '', iptables: iptables.rules ?? '' })
    .filter((port) => port !== publicPort && port !== NAMES_PORT && !ports.has(port))
    .map((port) => `rule of the firewall for port ${port}`);
}

export interface Listed {
  /** Null: it could not be asked. */
  rules: string | null;
  /** Null: this machine has no such program. */
  failure: string | null;
}

/** Of two programs for one firewall one may be without use here. Where none is there, there are no rules either. */
export function whyUnheard(listed: readonly Listed[]): string | null {
  if (listed.some(({ rules }) => rules !== null)) return null;
  const failures = listed.flatMap(({ failure }) => failure ?? []);
  return failures.length > 0 ? failures.join('; ') : null;
}

/** What an installation's rules name: in its tables of nftables, and in its chains of iptables. */
export function portsInRules(id: string, { nft, iptables }: { nft: string; iptables: string }): number[] {
  const tables = nft.split(/^(?=table )/m).filter((table) => /^table \w+ (\w+)/.exec(table)?.[1]?.endsWith(`_${id}`));
  const chains = iptables.split('\n').filter((line) => line.startsWith(`-A LILAC-${id}-`));
  const rules = [...tables, ...chains].join('\n');
  const named = [...rules.matchAll(/dport (\d+)/g)].map(([, port]) => Number(port));
  // Of `10.213.36.2 . 15548` it is what comes last.
  const elements = [...rules.matchAll(/elements = \{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').flatMap((element) => Number(/(\d+)\s*$/.exec(element)?.[1] ?? [])),
  );
  return [...new Set([...named, ...elements])];
}

async function list(...argv: [string, ...string[]]): Promise<Listed> {
  try {
    const { exitCode, stdout, stderr } = await run(argv, { env: process.env, timeoutMs: LIST_MS });
    if (exitCode === 0) return { rules: stdout, failure: null };
    return { rules: null, failure: `${argv[0]} ended with ${exitCode ?? 'a signal'}: ${stderr.trim()}` };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { rules: null, failure: isMissing ? null : (error as Error).message };
  }
}
