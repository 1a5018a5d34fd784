import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { toInputSchema } from '@lilac/contract/json-schema';
import { describe, expect, it } from 'vitest';
import { commands, findCommand } from './command.ts';
import { operatorCommands } from '../operator/operator-commands.ts';

const commandOf = (words: string) => findCommand(words.split(' '))!.command;

describe('the commands', () => {
  it('are the endpoints that the contract gives words, each under words of its own', () => {
    const worded = endpointNames.filter((name) => declarationOf(name).cli !== null);
    expect(worded.length).toBeGreaterThan(20);
    for (const endpoint of worded) {
      const words = declarationOf(endpoint).cli!.join(' ');
      expect(commands.filter((command) => command.words.join(' ') === words)).toMatchObject([{ endpoint }]);
    }
    const names = [...commands, ...operatorCommands].map(({ words }) => words.join(' '));
    expect(new Set(names).size).toBe(names.length);
  });

  it('are more than endpoints where that needs several calls, and stand with those they are about', () => {
    const words = commands.map((command) => command.words.join(' '));
    const first = words.indexOf('envs update');
    expect(words.slice(first, first + 3)).toEqual(['envs update', 'envs set', 'envs unset']);
  });

  it('are our own where the endpoint itself is not for people', () => {
    const own = ['logs', 'envs metrics', 'envs sparkline'].map((words) => commandOf(words).own !== null);
    expect(own).toEqual([true, true, true]);
  });

  it('take NAME=value only where names are free: for named fields a command of our own has flags', () => {
    const derived = commands.filter(({ own }) => !own).map(({ endpoint }) => declarationOf(endpoint!));
    const fields = derived.flatMap(({ body }) => Object.values((body && toInputSchema(body).properties) ?? {}));
    expect(fields.length).toBeGreaterThan(20);
    expect(fields.filter(({ type, properties }) => type === 'object' && properties)).toEqual([]);
  });

  it("never begin with a word that the launcher takes for the operator's", () => {
    const operatorWords = new Set<string>(operatorCommands.map(({ words }) => words[0]));
    expect(commands.filter(({ words }) => operatorWords.has(words[0]!))).toEqual([]);
  });

  it('take what must be given as words, in the order of the declaration', () => {
    expect(commandOf('folders rename').positionals.map((flag) => flag.name)).toEqual(['project-id', 'name']);
    expect(commandOf('config cpu').positionals).toMatchObject([{ part: 'query', key: 'memory' }]);
    expect(commandOf('apps list').positionals).toEqual([]);
  });

  it('leave the organisation to --org', () => {
    const list = commandOf('keys list');
    expect(list.organisation).toEqual({ part: 'body', key: 'targetOrganisationId' });
    expect(list.flags.map((flag) => flag.key)).not.toContain('targetOrganisationId');
    expect(commandOf('orgs create').organisation).toBeNull();
  });

  it('know the kind, the choices and the default of a flag', () => {
    const flags = Object.fromEntries(commandOf('apps list').flags.map((flag) => [flag.name, flag]));
    expect(flags['limit']).toMatchObject({ kind: 'number', isRequired: false });
    expect(flags['sort-order']).toMatchObject({ choices: ['asc', 'desc'] });
    expect(flags['sort-column']?.description).toContain('default created_at');
    expect(commandOf('apps move').flags.find((flag) => flag.key === 'targetFolderId')?.isNullable).toBe(true);
  });
});

describe('findCommand', () => {
  it('leaves the name of a group that has commands of its own to its help, and takes it for another before others', () => {
    for (const argv of [['env'], ['env', '--help'], ['env', '--json']]) expect(findCommand(argv)).toBeNull();
    expect(findCommand(['env', 'pull'])?.command.words).toEqual(['env', 'pull']);
    expect(findCommand(['env', 'create'])?.command.words).toEqual(['envs', 'create']);
    expect(findCommand(['app'])?.command.words).toEqual(['apps']);
  });

  it('knows repository hosts by their names', () => {
    expect(findCommand(['github', 'repos'])?.command.words).toEqual(['vcs', 'repos']);
    expect(findCommand(['gitlab', 'repos'])?.command.words).toEqual(['provider2', 'repos']);
    expect(findCommand(['bitbucket', 'repos'])?.command.words).toEqual(['provider3', 'repos']);
  });

  it('prefers the longest name', () => {
    expect(findCommand(['orgs', 'members', 'remove', 'usr_1'])).toMatchObject({
      command: { endpoint: 'organisations.members.remove' },
      rest: ['usr_1'],
    });
    expect(findCommand(['orgs', 'members'])?.command.endpoint).toBe('organisations.members');
    expect(findCommand(['orgs'])?.command.summary).toBe('List your organisations');
    expect(findCommand(['domains'])?.command.endpoint).toBe('applications.check-domain');
    expect(findCommand(['hosts'])).toBeNull();
  });
});
