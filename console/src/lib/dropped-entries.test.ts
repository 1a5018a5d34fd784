import { describe, expect, it } from 'vitest';
import { droppedOf, isZip } from './dropped-entries.ts';
import { Refusal } from './refusal.ts';
import { folderOfEntries } from './source-folder.ts';

const drop = (...paths: string[]) =>
  droppedOf(folderOfEntries(paths.map((path) => ({ path, content: new Blob([path]) }))));
const pathsOf = async (...paths: string[]) => {
  const dropped = await drop(...paths);
  return 'files' in dropped ? dropped.files.map(({ path }) => path) : null;
};

describe('what is dropped', () => {
  it('an archive goes as it is', async () => {
    expect(await drop('my-site.ZIP')).toEqual({ name: 'my-site', archive: expect.any(Blob) });
  });

  it('a folder gives its name, and its files stand at the top', async () => {
    expect((await drop('shop/index.html', 'shop/css/a.css')).name).toBe('shop');
    expect(await pathsOf('shop/index.html', 'shop/css/a.css')).toEqual(['index.html', 'css/a.css']);
  });

  it('loose files stay where they are, also an archive among them', async () => {
    expect(await pathsOf('index.html', 'downloads.zip')).toEqual(['index.html', 'downloads.zip']);
    expect(await pathsOf('a/x.html', 'b/y.html')).toEqual(['a/x.html', 'b/y.html']);
    expect(await pathsOf('site/x.zip')).toEqual(['x.zip']);
  });

  it('one loose file gives its name', async () => {
    expect((await drop('about.html')).name).toBe('about');
  });

  it('a lone file that is neither a zip nor a page is refused in words, and is not packed', async () => {
    const words = 'site.tgz is not a zip. Pack the project into a .zip, or give the folder itself.';
    await expect(drop('site.tgz')).rejects.toThrow(new Refusal(words));
    await expect(drop('shop.tar.gz')).rejects.toThrow('shop.tar.gz is not a zip.');
    expect(await pathsOf('about.HTM')).toEqual(['about.HTM']);
    expect(await pathsOf('shop/main.py')).toEqual(['main.py']);
    expect(await drop('.env'), 'why it is not sent is said by another').toMatchObject({ files: [] });
  });

  it('is a zip by how it begins, whatever it is called', async () => {
    expect(await isZip(new Blob(['PK\u0003\u0004rest']))).toBe(true);
    expect(await isZip(new Blob(['just words']))).toBe(false);
    expect(await isZip(new Blob([]))).toBe(false);
  });

  it('leaves out what is not to be sent', async () => {
    const junk = ['s/node_modules/x/i.js', 's/.git/HEAD', 's/.DS_Store', 's/.venv/a.py', 's/lilac.json'];
    expect(await pathsOf('s/a.js', ...junk, 's/.gitignore')).toEqual(['a.js', '.gitignore']);
    expect(await pathsOf('s/node_modules/a.js')).toEqual([]);
    expect(await pathsOf()).toEqual([]);
  });

  it('leaves out secrets and names them', async () => {
    expect(await drop('s/index.html', 's/.env', 's/.ssh/config')).toMatchObject({
      files: [{ path: 'index.html' }],
      leftOut: { secrets: ['.env', '.ssh/'], ignored: [] },
    });
  });

  it('heeds the rules of the folder, which it does not send', async () => {
    const content = new Blob(['*.log\n']);
    const ruled = [
      { path: 's/.lilacignore', content },
      { path: 's/a.log', content },
      { path: 's/b.txt', content },
    ];
    expect(await droppedOf(folderOfEntries(ruled))).toMatchObject({
      files: [{ path: 'b.txt' }],
      leftOut: { ignored: ['a.log'] },
    });
  });
});
