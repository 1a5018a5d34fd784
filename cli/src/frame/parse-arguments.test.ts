import { describe, expect, it } from 'vitest';
import { findCommand } from './command.ts';
import { parseArguments } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

const parse = (line: string) => {
  const { command, rest } = findCommand(line.split(' '))!;
  return parseArguments(command, rest);
};

const parseWords = (...words: string[]) => {
  const { command, rest } = findCommand(words)!;
  return parseArguments(command, rest).input.body;
};

describe('parseArguments', () => {
  it('puts words and flags where the endpoint wants them', () => {
    expect(parse('folders rename fld_1 Shop --org org_1')).toMatchObject({
      input: { body: { projectId: 'fld_1', name: 'Shop' } },
      flags: { organisation: 'org_1' },
    });
    expect(parse('config cpu 512Mi').input).toEqual({ query: { memory: '512Mi' } });
  });

  it('takes a required field by its flag as well, the words then fill the rest', () => {
    expect(parse('folders rename --project-id fld_1 Shop').input.body).toEqual({ projectId: 'fld_1', name: 'Shop' });
  });

  it('makes numbers of numbers and null of null', () => {
    expect(parse('apps list --limit 5 --page=2').input.body).toEqual({ limit: 5, page: 2 });
    expect(parse('apps move app_1 null').input.body).toEqual({ applicationId: 'app_1', targetFolderId: null });
    expect(parse('folders create null').input.body).toEqual({ name: 'null' });
  });

  it('makes an object of names and values, each value as it is', () => {
    const create = 'envs create app_1 preview next --environment-vars';
    expect(parse(`${create} A=1 --environment-vars URL=a=b?c#d --environment-vars EMPTY=`).input.body).toMatchObject({
      environmentVars: { A: '1', URL: 'a=b?c#d', EMPTY: '' },
    });
    expect(parse('envs update env_1 --environment-vars=').input.body).toEqual({
      environmentId: 'env_1',
      environmentVars: {},
    });
  });

  it('takes several of a choice with commas, and a list as the words that are left', () => {
    expect(parse('envs metrics env_1 24h --metrics cpu,memory --metrics latency').input.body).toEqual({
      environmentId: 'env_1',
      timeRange: '24h',
      metrics: ['cpu', 'memory', 'latency'],
    });
    const environmentIds = ['env_1', 'env_2'];
    for (const line of ['env_1 env_2', '--environment-ids env_1 --environment-ids env_2']) {
      expect(parse(`envs sparkline ${line}`).input.body).toEqual({ environmentIds });
    }
  });

  it('takes nothing at all for the empty list, but not where that is a value', () => {
    const blank = ['--authorized-networks', ''];
    expect(parseWords('db', 'update', 'db_1', ...blank)).toEqual({ databaseId: 'db_1', authorizedNetworks: [] });
    expect(parseWords('db', 'query', 'db_1', 'select $1', '--parameters', '')).toMatchObject({ parameters: [''] });
  });

  it('reads objects as JSON, one at a time or as a list', () => {
    const filter = { column: 'id', operator: '=', value: 5 };
    const json = JSON.stringify(filter);
    for (const [given, filters] of [
      [`--filters ${json}`, [filter]],
      [`--filters ${json} --filters ${json}`, [filter, filter]],
      [`--filters [${json},${json}]`, [filter, filter]],
    ] as const) {
      expect(parse(`db rows db_1 orders ${given}`).input.body).toMatchObject({ filters });
    }
  });

  it('takes a number below zero for a number', () => {
    expect(parse('apps list --limit -1 --page=-2').input.body).toEqual({ limit: -1, page: -2 });
    expect(parse('logs env_1 -n -5 -f').input.body).toEqual({ environmentId: 'env_1', lines: -5, follow: true });
  });

  it('sends nothing that was not given, so that the defaults are the platform’s', () => {
    expect(parse('apps list').input).toEqual({});
  });

  it.each([
    ['apps get', 'Missing: application-id'],
    ['apps list --limit many', '--limit is a number'],
    ['apps list --limit=', '--limit is a number'],
    ['keys create ci --role owner', '--role is one of user, admin'],
    ['envs metrics env_1 --metrics cpu,speed', '--metrics is one of cpu, memory, requestCount'],
    ['envs sparkline', 'Missing: environment-ids. Usage: lilac envs sparkline <environment-id>…'],
    ['envs metrics env_1 1h more', '"more" is one word too many'],
    ['logs env_1 --text -1', '--text needs a value; one that begins with a dash is given as --text=-….'],
    ['apps list --colour red', "Unknown option '--colour'"],
    ['envs update env_1 --environment-vars A', '--environment-vars is NAME=value'],
    ['db rows db_1 orders --filters id=5', '--filters is JSON: all of them hold; one is `{"column":"id"'],
    ['db rows db_1 orders --filters 5', 'This is not: 5'],
    ['whoami again', '"again" is one word too many'],
  ])('refuses "lilac %s"', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });
});
