import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foreignFolder } from '../testing/foreign-folder.ts';
import { openOperatorBench, ownerCreate, PASSWORD, type OperatorBench } from '../testing/operator-bench.ts';

let bench: OperatorBench;
beforeEach(async () => {
  bench = await openOperatorBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe("an operator's command", () => {
  it('1 where there is no installation, and makes none', async () => {
    const { exitCode, err } = await bench.lilac(['admin', 'key', 'rotate']);
    expect(exitCode).toBe(1);
    expect(err).toContain(`There is no installation in ${bench.home}`);
    expect(existsSync(bench.home)).toBe(false);
    expect(await bench.lilac(['backup'], { home: bench.folder })).toMatchObject({ exitCode: 1 });
    expect(readdirSync(bench.folder)).toEqual([]);
  });

  it("1 on another user's installation, for root too", async () => {
    const { exitCode, err } = await bench.lilac(ownerCreate('--password', PASSWORD), {
      home: foreignFolder(bench.folder),
    });
    expect(exitCode).toBe(1);
    expect(err).toContain('belongs to another user');
  });

  it('1 when the store does not answer, and says which setting names it', async () => {
    const { exitCode, err } = await bench.lilac(ownerCreate('--password', PASSWORD), {
      databaseUrl: 'postgresql://lilac:secret-word@127.0.0.1:1/lilac',
    });
    expect(exitCode).toBe(1);
    expect(err).toContain('LILAC_DATABASE_URL');
    expect(err).not.toContain('secret-word');
  });

  it('1 on a setting that makes no sense', async () => {
    const { exitCode, err } = await bench.lilac(['doctor'], { environment: { LILAC_PORT: 'many' } });
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('LILAC_PORT must be') as string,
    });
  });

  it.each([
    ['an unknown command', ['admin', 'owners'], 'owners'],
    ['an unknown option', ['doctor', '--jsn'], 'Did you mean --json'],
    ['a missing option', ['admin', 'session', 'create'], '--email'],
  ])('2 on %s', async (_, argv, message) => {
    const { exitCode, out, err } = await bench.lilac(argv);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
  });

  it('0 when it is asked how it is used', async () => {
    const { exitCode, out } = await bench.lilac(['admin', 'owner', 'create', '--help']);
    expect(exitCode).toBe(0);
    expect(out).toContain('--password-stdin');
  });
});

describe('lilac doctor', () => {
  it('prints one JSON document with every check, and its exit code follows', async () => {
    await bench.createOwner();
    const { exitCode, out } = await bench.lilac(['doctor', '--json']);
    const report = JSON.parse(out) as { ok: boolean; checks: { id: string; status: string }[] };
    const statusOf = (id: string) => report.checks.find((check) => check.id === id)?.status;
    expect(exitCode).toBe(report.ok ? 0 : 1);
    expect(statusOf('store.server')).toBe('ok');
    expect(statusOf('store.schema')).toBe('ok');
    expect(statusOf('home.folder')).toBe('ok');
    expect(statusOf('home.key-file')).toBe('ok');
    expect(report.checks.length).toBeGreaterThan(15);
    for (const check of report.checks) expect(Object.keys(check)).toEqual(['id', 'status', 'found', 'advice']);
  });

  it('fails when the store cannot be reached', async () => {
    const { exitCode, out } = await bench.lilac(['doctor', '--json'], {
      databaseUrl: 'postgresql://lilac@127.0.0.1:1/lilac',
    });
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false });
  });
});
