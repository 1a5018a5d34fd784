import { run } from '../../server/src/lib/exec.ts';
import { installationId } from '../../server/src/runtime/network/names.ts';
import type { Expected } from './expected.ts';

const NAMES_PORT = 53;
const LIST_MS = 10_000;

/** Ports of databases that are gone, and that this machine's firewall still has rules for. */
export async function leftDoors({ home, ports }: Expected, publicPort: number): Promise<string[]> {
  const [nft, iptables] = await Promise.all([list('nft', '-n', 'list', 'ruleset'), list('iptables', '-S')]);
  return portsInRules(installationId(home), { nft, iptables })
    .filter((port) => port !== publicPort && port !== NAMES_PORT && !ports.has(port))
    .map((port) => `rule of the firewall for port ${port}`);
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

/** Nothing, where the machine has no such program. */
async function list(...argv: [string, ...string[]]): Promise<string> {
  const { exitCode, stdout } = await run(argv, { env: process.env, timeoutMs: LIST_MS }).catch(() => ({
    exitCode: 1,
    stdout: '',
  }));
  return exitCode === 0 ? stdout : '';
}
