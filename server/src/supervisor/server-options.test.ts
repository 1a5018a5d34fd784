import { describe, expect, it } from 'vitest';
import { readServerOptions, serverUsage, wantsHelp } from './server-options.ts';
import { StartRefused } from './start-refused.ts';

const embedded = { databaseUrl: null };
const external = { databaseUrl: 'postgresql://db.example.org/lilac' };

describe('lilac server', () => {
  it('runs everything', () => {
    const options = readServerOptions([], embedded);
    expect(options).toEqual({ roles: new Set(['api', 'worker', 'edge']), embeddedStore: true, watch: false });
  });

  it('starts no store beside the one that LILAC_DATABASE_URL names', () => {
    expect(readServerOptions([], external).embeddedStore).toBe(false);
  });

  it('runs the roles it is told to', () => {
    expect(readServerOptions(['--roles', 'api,edge'], external).roles).toEqual(new Set(['api', 'edge']));
    expect(readServerOptions(['--roles=edge'], embedded)).toMatchObject({
      roles: new Set(['edge']),
      embeddedStore: false,
    });
  });

  it('tells how it is used, whatever else is said', () => {
    expect(wantsHelp(['--roles', 'kitchen', '--help'])).toBe(true);
    expect(wantsHelp(['-h'])).toBe(true);
    expect(wantsHelp(['--watch'])).toBe(false);
    expect(serverUsage).toContain('--roles');
  });

  it.each([[['--roles', 'api']], [['--roles', 'kitchen']], [['--role', 'api']], [['extra']]])('refuses %s', (argv) => {
    expect(() => readServerOptions(argv, embedded)).toThrow(StartRefused);
  });
});
