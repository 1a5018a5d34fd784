import { styleText } from 'node:util';
import type { Config } from '../config.ts';
import { settingsPrefix } from '../lib/settings-prefix.ts';

export interface BannerFacts {
  config: Pick<Config, 'home' | 'port' | 'publicUrl' | 'databaseUrl'>;
  version: string;
  /** Where https is served; null where it is not. */
  tlsPort: number | null;
  /** Null once somebody has an account. */
  setupLink: string | null;
  /** What servers run in, where that is known already. */
  runtime?: string | null;
  /** What keeps applications less apart than they should be, a sentence each. */
  lacking: readonly string[];
}

/** What a person who has just started the platform wants to know. */
export function formatBanner(facts: BannerFacts, colours: boolean): string {
  const { config, version, setupLink, runtime, lacking } = facts;
  const secureAddress = secureAddressOf(facts);
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const fact = (name: string, value: string) => `  ${paint('dim', name.padEnd(9))}${value}`;
  const lines = [
    '',
    `  ${paint(['bold', 'magenta'], 'Lilac')} ${version} ${paint('green', 'is ready')}`,
    '',
    fact('Console', paint('cyan', config.publicUrl.origin)),
    ...(secureAddress ? [fact('', paint('cyan', secureAddress))] : []),
    fact('Data', config.home),
    ...(runtime && CONTAINERS[runtime] ? [fact('Servers', CONTAINERS[runtime])] : []),
    ...(setupLink ? [fact('Set up', paint('cyan', setupLink)), fact('', 'makes the first owner, and works once')] : []),
    ...(lacking.length > 0
      ? ['', `  ${paint(['bold', 'red'], NOT_APART)}`, ...lacking.map((lack) => `    - ${lack}`)]
      : []),
    '',
    `  ${paint('dim', 'Next, in another terminal:')}`,
    ...nextCommands({ config, setupLink }).map((command) => `    ${command}`),
    '',
    `  ${paint('dim', 'Ctrl-C stops everything.')}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** The console by https, where that is not its address anyway. */
export function secureAddressOf({ config, tlsPort }: Pick<BannerFacts, 'config' | 'tlsPort'>): string | null {
  if (tlsPort === null || config.publicUrl.protocol === 'https:') return null;
  return new URL(`https://${config.publicUrl.hostname}:${tlsPort}`).origin;
}

/** Processes of this machine need no words. */
const CONTAINERS: Readonly<Record<string, string>> = {
  docker: 'containers of this machine’s Docker engine',
  swarm: 'services of a Docker Swarm',
};

const NOT_APART = 'Applications are NOT fully kept apart on this machine (npx lilac doctor tells what to do):';

export function nextCommands({ config, setupLink }: Pick<BannerFacts, 'config' | 'setupLink'>): string[] {
  const prefix = settingsPrefix(config);
  const signIn = 'npx lilac admin session create --email you@example.org --json';
  const commands = setupLink
    ? [CREATE_OWNER, signIn, 'npx lilac doctor']
    : ['npx lilac doctor', 'npx lilac backup', signIn];
  return commands.map((command) => prefix + command);
}

/** On a plan with API keys, which are what most people make next. */
const CREATE_OWNER =
  "npx lilac admin owner create --email you@example.org --password 'a long pass phrase' --organisation Acme --plan pro";
