import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseVariant, matchesEtag, readConsoleFiles } from './console-files.ts';

describe('the console files', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lilac-console-'));
    mkdirSync(join(directory, 'assets'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (name: string, content: string) => writeFileSync(join(directory, name), content);

  it('are read with their compressed copies, which get no address of their own', async () => {
    write('index.html', 'page');
    write('assets/a-1.js', 'plain');
    write('assets/a-1.js.br', 'brotli');
    write('assets/a-1.js.gz', 'gzip');
    const files = await readConsoleFiles(directory);
    expect([...files!.keys()].sort()).toEqual(['/assets/a-1.js', '/index.html']);
    const file = files!.get('/assets/a-1.js')!;
    expect(chooseVariant(file, 'gzip, br').content.toString()).toBe('brotli');
    expect(chooseVariant(file, 'br;q=0, gzip').content.toString()).toBe('gzip');
    expect(chooseVariant(file, undefined).content.toString()).toBe('plain');
  });

  it('have another tag for every encoding, since their bytes differ', async () => {
    write('index.html', 'page');
    write('index.html.br', 'brotli');
    const page = (await readConsoleFiles(directory))!.get('/index.html')!;
    expect(chooseVariant(page, 'br').etag).not.toBe(chooseVariant(page, '').etag);
  });

  it('are null without a page or without the folder', async () => {
    write('assets/a-1.js', 'plain');
    expect(await readConsoleFiles(directory)).toBeNull();
    expect(await readConsoleFiles(join(directory, 'absent'))).toBeNull();
  });
});

describe('If-None-Match', () => {
  it('takes a list, weak tags and the asterisk', () => {
    expect(matchesEtag('"x", W/"y"', '"y"')).toBe(true);
    expect(matchesEtag('*', '"y"')).toBe(true);
    expect(matchesEtag('"x"', '"y"')).toBe(false);
    expect(matchesEtag(undefined, '"y"')).toBe(false);
  });
});
