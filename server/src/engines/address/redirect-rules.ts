export const tableName = (id: string): string => `lilac_db_${id}`;

/**
 * One table, replaced in one transaction; where nothing leads elsewhere there is none. What comes from outside passes
 * one chain, what comes from this machine itself the other. Only its own addresses are meant: a database beyond this
 * machine may have the same port.
 */
export function redirectRules(id: string, targets: ReadonlyMap<number, number>): string {
  const table = tableName(id);
  // Made before it is deleted: so it is no error when it is not there.
  const forget = `table inet ${table}\ndelete table inet ${table}\n`;
  if (targets.size === 0) return forget;
  const rules = [...targets].map(
    ([port, target]) => `  fib daddr type local tcp dport ${port} redirect to :${target}\n`,
  );
  const chain = (hook: string, priority: number) =>
    `chain ${hook} {\n  type nat hook ${hook} priority ${priority}; policy accept;\n${rules.join('')}}\n`;
  // Before what others (Docker) do with the same packets, who would find nothing of theirs at these ports anyway.
  return `${forget}table inet ${table} {\n${chain('prerouting', -105)}${chain('output', -105)}}\n`;
}

interface RuleEntry {
  rule?: { chain: string; expr: RuleExpression[] };
}

interface RuleExpression {
  match?: { left: { payload?: { field?: string } }; right: unknown };
  redirect?: { port?: unknown };
}

/** What the answer of `nft -j list table` says. A port that only one of the chains knows leads nowhere reliably: it is left out. */
export function readRedirects(answer: string): Map<number, number> {
  const { nftables } = JSON.parse(answer) as { nftables: RuleEntry[] };
  const rules = nftables.flatMap(({ rule }) => (rule ? [{ chain: rule.chain, ...readRule(rule.expr) }] : []));
  const output = new Map(rules.filter(({ chain }) => chain === 'output').map(({ port, target }) => [port, target]));
  return new Map(
    rules.flatMap(({ chain, port, target }): [number, number][] =>
      chain === 'prerouting' && output.get(port) === target ? [[port, target]] : [],
    ),
  );
}

function readRule(expressions: readonly RuleExpression[]): { port: number; target: number } {
  const match = expressions.find(({ match: found }) => found?.left.payload?.field === 'dport')?.match;
  const redirect = expressions.find(({ redirect: found }) => found)?.redirect;
  return { port: Number(match?.right), target: Number(redirect?.port) };
}
