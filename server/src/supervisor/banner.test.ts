import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { formatBanner, nextCommands } from './banner.ts';

const setupLink = 'http://localhost:7080/setup#token';
const usual = readConfig({});

describe('the banner', () => {
  it('says loudly where applications are not kept apart, and nothing where they are', () => {
    const facts = { config: usual, setupLink, version: '1.0.0' };
    const lacking = ['bubblewrap is not installed.'];
    expect(formatBanner({ ...facts, lacking }, false)).toMatch(
      /NOT fully kept apart[^]*- bubblewrap is not installed\./,
    );
    expect(formatBanner({ ...facts, lacking: [] }, false)).not.toContain('kept apart');
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
    const banner = formatBanner({ config, setupLink, version: '1.0.0', lacking: [] }, false);
    expect(banner).toContain('LILAC_DATABASE_URL=… npx lilac doctor');
    expect(banner).not.toContain('secret-word');
  });
});
