import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { formatBanner, nextCommands, secureAddressOf } from './banner.ts';

const setupLink = 'http://localhost:7080/setup#token';
const usual = readConfig({});

describe('the banner', () => {
  it('says loudly where applications are not kept apart, and nothing where they are', () => {
    const facts = { config: usual, setupLink, version: '1.0.0', tlsPort: null };
    const lacking = ['bubblewrap is not installed.'];
    expect(formatBanner({ ...facts, lacking }, false)).toMatch(
      /NOT fully kept apart[^]*- bubblewrap is not installed\./,
    );
    expect(formatBanner({ ...facts, lacking: [] }, false)).not.toContain('kept apart');
  });
});

const addressOf = (environment: Record<string, string>, tlsPort: number | null) =>
  secureAddressOf({ config: readConfig(environment), tlsPort });

describe('the console by https', () => {
  it('is at its own port, which goes without saying where it is the usual one', () => {
    expect(addressOf({}, 7443)).toBe('https://localhost:7443');
    expect(addressOf({ LILAC_PUBLIC_URL: 'http://lilac.example.org' }, 443)).toBe('https://lilac.example.org');
  });

  it('is not told where there is none, nor where that is its address anyway', () => {
    expect(addressOf({}, null)).toBeNull();
    expect(addressOf({ LILAC_PUBLIC_URL: 'https://lilac.example.org' }, 443)).toBeNull();
  });

  it('stands in the banner', () => {
    const facts = { config: usual, setupLink, version: '1.0.0', lacking: [] };
    expect(formatBanner({ ...facts, tlsPort: 7443 }, false)).toContain('https://localhost:7443\n');
    expect(formatBanner({ ...facts, tlsPort: null }, false)).not.toContain('https:');
  });
});

describe('the next commands', () => {
  it('make the first owner, on a plan with API keys, where there is none', () => {
    const [first] = nextCommands({ config: usual, setupLink });
    expect(first).toMatch(/^npx lilac admin owner create .* --plan pro$/);
  });

  it('make no owner where there is one', () => {
    const commands = nextCommands({ config: usual, setupLink: null });
    expect(commands.join()).not.toContain('owner create');
    expect(commands).toContain('npx lilac doctor');
    expect(commands).toContain('npx lilac backup');
  });

  it('carry the settings that another terminal would lack, and no other', () => {
    expect(join(homedir(), '.lilac')).toBe(usual.home);
    const config = readConfig({ LILAC_HOME: '/srv/my lilac', LILAC_PORT: '7090' });
    for (const command of nextCommands({ config, setupLink })) {
      expect(command).toMatch(/^LILAC_HOME='\/srv\/my lilac' LILAC_PORT=7090 npx lilac /);
    }
    for (const command of nextCommands({ config: usual, setupLink })) expect(command).toMatch(/^npx lilac /);
  });

  it('tell no password of a store', () => {
    const config = readConfig({ LILAC_DATABASE_URL: 'postgresql://lilac:secret-word@db.example.org/lilac' });
    const banner = formatBanner({ config, setupLink, version: '1.0.0', tlsPort: null, lacking: [] }, false);
    expect(banner).toContain('LILAC_DATABASE_URL=… npx lilac doctor');
    expect(banner).not.toContain('secret-word');
  });
});
