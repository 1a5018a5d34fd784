const MAX_LENGTH = 100;

/** Order matters: browsers also name the browsers they descend from. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Mac OS X|darwin)\b/i, 'macOS'],
  [/\blinux\b/i, 'Linux'],
];

/** What the list of connected devices calls a device: `Firefox on Linux`, `lilac-cli on macOS`. */
export function deviceLabel({ clientId, userAgent }: { clientId?: string; userAgent: string | null }): string {
  const agent = userAgent ?? '';
  const program = clientId ?? firstMatch(programs, agent) ?? agent.split(/[\s/]/)[0];
  const system = firstMatch(systems, agent);
  const label = [program || 'Unknown device', system].filter(Boolean).join(' on ');
  return label.slice(0, MAX_LENGTH);
}

function firstMatch(patterns: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return patterns.find(([pattern]) => pattern.test(text))?.[1];
}
