import { homedir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Config } from '../config.ts';

export interface BannerFacts {
  config: Pick<Config, 'home' | 'publicUrl'>;
  version: string;
  /** Null once somebody has an account. */
  setupLink: string | null;
}

/** What a person who has just started the platform wants to know. */
export function formatBanner({ config, version, setupLink }: BannerFacts, colours: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const fact = (name: string, value: string) => `  ${paint('dim', name.padEnd(9))}${value}`;
  const lines = [
    '',
    `  ${paint(['bold', 'magenta'], 'Lilac')} ${version} ${paint('green', 'is ready')}`,
    '',
    fact('Console', paint('cyan', config.publicUrl.origin)),
    fact('Data', config.home),
    ...(setupLink ? [fact('Set up', paint('cyan', setupLink)), fact('', 'makes the first owner, and works once')] : []),
    '',
    `  ${paint('dim', 'Next, in another terminal:')}`,
    ...nextCommands(config.home).map((command) => `    ${command}`),
    '',
    `  ${paint('dim', 'Ctrl-C stops everything.')}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

export function nextCommands(home: string): string[] {
  const prefix = home === join(homedir(), '.lilac') ? '' : `LILAC_HOME=${home} `;
  return [
    "npx lilac admin owner create --email you@example.org --password 'a long pass phrase' --organisation Acme",
    'npx lilac admin session create --email you@example.org --json',
    'npx lilac doctor',
  ].map((command) => prefix + command);
}
