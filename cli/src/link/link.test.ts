import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../frame/usage-error.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { findLink, removeLink, writeLink } from './link.ts';

const link = {
  apiUrl: 'https://lilac.example.org',
  organisationId: 'org_1',
  applicationId: 'app_1',
  environmentId: 'env_1',
};

describe('the link of a folder', () => {
  it('is found from every folder below it, the nearest first', () => {
    using folder = temporaryFolder();
    const deep = join(folder.path, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    expect(findLink(deep)).toBeNull();
    writeLink(folder.path, link);
    expect(findLink(deep)).toEqual({ link, file: join(folder.path, 'lilac.json') });
    writeLink(join(folder.path, 'a'), { ...link, environmentId: 'env_2' });
    expect(findLink(deep)?.link.environmentId).toBe('env_2');
  });

  it('leaves alone what else is in the file, written and removed', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'lilac.json');
    writeFileSync(file, '{"note": "ours"}');
    expect(findLink(folder.path)).toBeNull();
    writeLink(folder.path, link);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ note: 'ours', ...link });
    removeLink(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ note: 'ours' });
  });

  it.each([undefined, '-'])('has no organisation where %s stands for it', (organisationId) => {
    using folder = temporaryFolder();
    writeLink(folder.path, { ...link, organisationId });
    expect(findLink(folder.path)?.link).toStrictEqual({ ...link, organisationId: undefined });
  });

  it('is not looked for above the repository, nor in the home of the person', () => {
    using folder = temporaryFolder();
    const deep = join(folder.path, 'project', 'src');
    mkdirSync(deep, { recursive: true });
    writeLink(folder.path, link);
    expect(findLink(deep, folder.path)).toBeNull();
    expect(findLink(folder.path, folder.path)?.link).toEqual(link);
    mkdirSync(join(folder.path, 'project', '.git'));
    expect(findLink(deep)).toBeNull();
    writeLink(join(folder.path, 'project'), link);
    expect(findLink(deep)?.file).toBe(join(folder.path, 'project', 'lilac.json'));
  });

  it('is never written through a symbolic link that came with the folder', () => {
    using folder = temporaryFolder();
    const precious = join(folder.path, 'precious');
    writeFileSync(precious, '{"mine": true}');
    const project = join(folder.path, 'project');
    mkdirSync(project);
    symlinkSync(precious, join(project, 'lilac.json.new'));
    writeLink(project, link);
    expect(findLink(project)?.link).toEqual(link);
    expect(readdirSync(project)).toEqual(['lilac.json', 'lilac.json.new']);
    const hostile = join(folder.path, 'hostile');
    mkdirSync(hostile);
    symlinkSync(precious, join(hostile, 'lilac.json'));
    expect(() => writeLink(hostile, link)).toThrow('symbolic link');
    expect(() => removeLink(join(hostile, 'lilac.json'))).toThrow('symbolic link');
    expect(readFileSync(precious, 'utf8')).toBe('{"mine": true}');
  });

  it.each([
    ['{', 'mend it, or remove it'],
    ['[]', 'mend it, or remove it'],
    ['{"apiUrl": "https://x.org"}', 'lacks applicationId, environmentId'],
    [JSON.stringify({ ...link, organisationId: 7 }), 'organisationId in'],
    [JSON.stringify({ ...link, apiUrl: 'file:///etc' }), 'must be like https://'],
  ])('says what to do about %s', (text, message) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'lilac.json'), text);
    expect(() => findLink(folder.path)).toThrow(UsageError);
    expect(() => findLink(folder.path)).toThrow(message);
  });
});
