import { describe, expect, it } from 'vitest';
import { commands } from './command.ts';
import { generalHelp } from './general-help.ts';
import { commandHelp, groupHelp } from './help.ts';

const WIDTH = 1000;
const helpOf = (words: string) =>
  commandHelp(
    commands.find((command) => command.words.join(' ') === words)!,
    WIDTH,
  );

describe('the help of everything', () => {
  const text = generalHelp(commands, '1.2.3', WIDTH);

  it('has the variables among what is done every day', () => {
    expect(text).toMatch(/^Every day\n[^]*^ {2}env {2,}Set, list, pull or push variables$[^]*^By subject$/m);
  });

  it('says which repository host a group is about', () => {
    for (const title of ['vcs (GitHub)', 'provider2 (GitLab)', 'provider3 (Bitbucket)']) expect(text).toContain(title);
  });
});

describe('the help of a group', () => {
  it('says whom it is about, and what else it stands for', () => {
    expect(groupHelp(['provider2'], WIDTH)).toMatch(/^provider2 \(GitLab\): "lilac gitlab"/);
    expect(groupHelp(['env'], WIDTH)).toContain('"env" also stands for "envs": lilac env create');
    expect(groupHelp(['envs'], WIDTH)).not.toContain('stands for');
  });
});

describe('the help of a command', () => {
  it('speaks of commands and flags, not of fields and addresses', () => {
    const words = commands.flatMap((command) =>
      [
        ...commandHelp(command, WIDTH).matchAll(
          /X-[A-Z][\w-]+|%2F|config\/\w*platform|vcs-app\/|check-domain|explorer\/\w+/g,
        ),
      ].map(([word]) => `${command.words.join(' ')}: ${word}`),
    );
    expect(words).toEqual([]);
    for (const command of commands) {
      const keys = command.flags.map(({ key }) => key).filter((key) => /[A-Z]/.test(key));
      const said = commandHelp(command, WIDTH);
      expect([command.words, keys.filter((key) => new RegExp(`\\b${key}\\b`).test(said))]).toEqual([command.words, []]);
    }
    expect(helpOf('apps create')).toContain('lilac config sizes lists what there is');
    expect(helpOf('db schema')).toContain('of --table;');
  });

  it('says what may stand for an id', () => {
    expect(helpOf('apps get')).toMatch(/<application-id> +its id, name or subdomain; left out: the linked one\n/);
    expect(helpOf('apps delete')).toMatch(/<application-id> +its id, name or subdomain\n/);
    expect(helpOf('envs get')).toMatch(/<environment-id> +its id or subdomain, or an application's id or name:/);
    expect(helpOf('db get')).toMatch(/<database-id> +its id or name\n/);
    expect(helpOf('deployments get')).toMatch(/<deployment-id> +"lilac deployments list" lists them\n/);
  });

  it('leaves no flag and no argument without a word, but names', () => {
    const wordless = commands.flatMap((command) =>
      commandHelp(command, WIDTH)
        .split('\n')
        .filter((line) => /^ {2}(-|<)\S*( [A-Z=]+)?$/.test(line))
        .map((line) => line.trim()),
    );
    expect([...new Set(wordless)]).toEqual(['<name>', '--name VALUE']);
  });

  it('shows of a switch what it does when it is given', () => {
    expect(helpOf('apps delete')).toMatch(/^ {2}--yes +do not ask/m);
    expect(helpOf('logs')).toMatch(/^ {2}-f, --follow +go on/m);
    expect(helpOf('deploy')).toMatch(/^ {2}--no-wait +only start it$/m);
    expect(helpOf('db create')).toMatch(/^ {2}--no-public-ip-enabled +only the organisation's own/m);
    expect(helpOf('envs update')).toMatch(/^ {2}--\[no-\]auto-deploy +deploy on every push$/m);
    expect(helpOf('envs password')).toContain('--enabled|--no-enabled');
  });

  it('says what a list may be sorted by', () => {
    expect(helpOf('apps list')).toMatch(
      /--sort-column VALUE +one of created_at, updated_at, name, status; anything else/,
    );
    expect(helpOf('db list')).toMatch(/--sort-column VALUE +one of created_at, name, status;/);
  });
});
