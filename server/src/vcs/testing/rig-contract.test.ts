import { describe, expect, it } from 'vitest';
import document from '../bitbucket/testing/openapi.json' with { type: 'json' };
import { gitlabDocument } from '../gitlab/testing/api-document.ts';
import { createContract, type Exchange } from './rig-contract.ts';

const query = new URLSearchParams();
const repository = '/repositories/acme/%7Bb6c1%7D';
const paging = ['pagelen'];

const get = (exchange: Partial<Exchange>): Exchange => ({
  method: 'GET',
  path: repository,
  query,
  body: undefined,
  status: 200,
  answer: { type: 'repository', uuid: '{b6c1}', is_private: true },
  ...exchange,
});

describe("a vendor's document", () => {
  const bitbucket = createContract(document, { paging });
  it('lets pass what it describes', () => {
    expect(bitbucket.check(get({}))).toEqual([]);
    expect(bitbucket.check(get({ status: 404, answer: { type: 'error', error: { message: 'No' } } }))).toEqual([]);
    const pages = { path: '/repositories/acme', query: new URLSearchParams('role=member&pagelen=100') };
    expect(bitbucket.check(get({ ...pages, answer: { values: [], pagelen: 100 } }))).toEqual([]);
  });

  it.each([
    ['an endpoint that is not there', { path: '/repository/acme' }, 'not in the document'],
    ['a method that is not there', { method: 'DELETE' }, 'not in the document'],
    ['a parameter that is not there', { query: new URLSearchParams('per_page=1') }, 'no parameter per_page'],
    ['a body where none is expected', { body: {} }, 'no body'],
    ['an answer of another shape', { answer: { uuid: 7 } }, "must have required property 'type'"],
    ['a status that is never answered', { status: 418 }, 'never answered 418'],
  ])('finds %s', (_what, exchange, words) => {
    expect(bitbucket.check(get(exchange)).join('\n')).toContain(words);
  });

  it('finds a body of another shape', () => {
    const path = `${repository}/commit/abc/statuses/build`;
    const answer = { type: 'build', key: 'k', state: 'FAILED', url: 'https://a.example' };
    const post = (body: object) => bitbucket.check(get({ method: 'POST', path, status: 201, body, answer }));
    expect(post({ key: 'k', state: 'FAILED', url: 'https://a.example' })).toEqual([]);
    expect(post({ key: 'k'.repeat(41), state: 'FAILED', url: 'https://a.example' })).toHaveLength(1);
    expect(post({ key: 'k', state: 'failed', url: 'https://a.example' })).toHaveLength(1);
    expect(post({ key: 'k', state: 'FAILED' })).toHaveLength(1);
  });

  it('finds a secret that is told', () => {
    const gitlab = createContract(gitlabDocument, { paging: [] });
    const hook = {
      id: 1,
      project_id: 2,
      url: 'https://a.example/',
      created_at: '2024-01-01T00:00:00Z',
      push_events: true,
      tag_push_events: false,
      enable_ssl_verification: true,
    };
    expect(gitlab.checkAs('hook', hook)).toEqual([]);
    expect(gitlab.checkAs('hook', { ...hook, token: 'x' })).toHaveLength(1);
  });
});
