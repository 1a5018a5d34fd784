import { describe, expect, it } from 'vitest';
import { folderOfEntries } from './source-folder.ts';
import { sourceOf } from './source-of.ts';

async function sent(files: Record<string, string>) {
  const entries = Object.entries(files).map(([path, text]) => ({ path, content: new Blob([text]) }));
  const { files: kept, leftOut } = await sourceOf(folderOfEntries(entries));
  return { ...leftOut, kept: kept.map(({ path }) => path).toSorted() };
}

describe('the source of a folder', () => {
  it('is what .gitignore leaves at every level, and a folder that is left out is named once', async () => {
    const found = await sent({
      '.gitignore': '*.log\n/dist/\n',
      'a.log': '',
      'dist/x.js': '',
      'dist/y.js': '',
      'src/.gitignore': '!keep.log\n',
      'src/dist/x.js': '',
      'src/keep.log': '',
      'src/other.log': '',
    });
    expect(found.kept).toEqual(['.gitignore', 'src/.gitignore', 'src/dist/x.js', 'src/keep.log']);
    expect(found.ignored).toEqual(['a.log', 'dist/', 'src/other.log']);
  });

  it('is more or less by .lilacignore, which may take a secret in by its name', async () => {
    const files = { '.gitignore': 'dist\n', 'dist/a.js': '', 'docs/a.md': '', 'public.env': 'A=1', '.env': 'A=1' };
    const found = await sent({ ...files, '.lilacignore': '!dist\ndocs/\n!public.env\n' });
    expect(found).toEqual({
      kept: ['.gitignore', 'dist/a.js', 'public.env'],
      secrets: ['.env'],
      ignored: ['docs/'],
    });
  });

  it('holds no private key, by what it begins with, unless it is taken in', async () => {
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${'A'.repeat(64)}\n`;
    const many = Object.fromEntries(Array.from({ length: 150 }, (_none, index) => [`f${index}.txt`, 'x'.repeat(60)]));
    const found = await sent({ ...many, deploy: key, wanted: key, '.lilacignore': '!wanted' });
    expect(found.secrets).toEqual(['deploy']);
    expect(found.kept).toHaveLength(151);
    expect(found.kept).toContain('wanted');
  });
});
