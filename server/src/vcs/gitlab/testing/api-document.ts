import type { ContractDocument } from '../../testing/rig-contract.ts';

/**
 * The part of GitLab's API (v4) that is used, as its documentation describes it: the fields of its examples, which of
 * them may be null, and what a request may hold.
 */
const text = { type: 'string' };
const maybeText = { type: 'string', nullable: true };
const whole = { type: 'integer' };
const flag = { type: 'boolean' };
const moment = { type: 'string', format: 'date-time' };
const address = { type: 'string', format: 'uri' };
const sha = { type: 'string', pattern: '^[0-9a-f]{40}$' };

const record = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const exactly = (properties: Record<string, object>, required: string[]) => ({
  ...record(properties, required),
  additionalProperties: false,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const parameter = (name: string, schema: object = text) => ({ name, in: 'query', schema });

const errors = { 400: json(ref('error')), 403: json(ref('error')), 404: json(ref('error')) };

const simpleProject = {
  id: whole,
  description: maybeText,
  name: text,
  name_with_namespace: text,
  path: text,
  path_with_namespace: text,
  created_at: moment,
  default_branch: maybeText,
  topics: { type: 'array', items: text },
  ssh_url_to_repo: text,
  http_url_to_repo: address,
  web_url: address,
  forks_count: whole,
  star_count: whole,
  last_activity_at: moment,
  namespace: record({ id: whole, name: text, path: text, kind: { enum: ['user', 'group'] }, full_path: text }),
};
const commit = {
  id: sha,
  short_id: text,
  title: text,
  message: text,
  created_at: moment,
  author_name: text,
  author_email: text,
  parent_ids: { type: 'array', items: sha },
};
const hookFields = { url: address, push_events: flag, enable_ssl_verification: flag };

export const gitlabDocument: ContractDocument = {
  paths: {
    '/user': { get: { responses: { 200: json(ref('user')), ...errors } } },
    '/projects': {
      get: {
        parameters: ['membership', 'min_access_level', 'order_by', 'sort', 'id_after', 'id_before'].map((name) =>
          parameter(name),
        ),
        responses: { 200: json({ type: 'array', items: ref('project') }) },
      },
    },
    '/projects/{id}': {
      get: { responses: { 200: json({ anyOf: [ref('project'), ref('simple_project')] }), ...errors } },
    },
    '/projects/{id}/repository/branches': {
      get: {
        parameters: ['search', 'regex'].map((name) => parameter(name)),
        responses: { 200: json({ type: 'array', items: ref('branch') }), ...errors },
      },
    },
    '/projects/{id}/statuses/{sha}': {
      post: { requestBody: json(ref('new_status')), responses: { 201: json(ref('status')), ...errors } },
    },
    '/projects/{id}/hooks': {
      get: { responses: { 200: json({ type: 'array', items: ref('hook') }), ...errors } },
      post: {
        requestBody: json(ref('new_hook')),
        responses: { 201: json(ref('hook')), 422: json(ref('error')), ...errors },
      },
    },
    '/projects/{id}/hooks/{hook_id}': {
      put: {
        requestBody: json(ref('new_hook')),
        responses: { 200: json(ref('hook')), 422: json(ref('error')), ...errors },
      },
      delete: { responses: { 204: {}, ...errors } },
    },
  },
  components: {
    schemas: {
      error: { anyOf: [record({ message: {} }), record({ error: text })] },
      user: record({
        id: whole,
        username: text,
        name: text,
        state: { enum: ['active'] },
        web_url: address,
        created_at: moment,
      }),
      simple_project: record(simpleProject),
      project: record({
        ...simpleProject,
        visibility: { enum: ['private', 'internal', 'public'] },
        empty_repo: flag,
        archived: flag,
        creator_id: whole,
        repository_access_level: { enum: ['disabled', 'private', 'enabled'] },
        permissions: { type: 'object' },
      }),
      branch: record({
        name: text,
        merged: flag,
        protected: flag,
        default: flag,
        developers_can_push: flag,
        developers_can_merge: flag,
        can_push: flag,
        web_url: address,
        commit: record(commit),
      }),
      new_status: exactly(
        {
          state: { enum: ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] },
          context: { ...text, maxLength: 255 },
          name: { ...text, maxLength: 255 },
          ref: text,
          description: { ...text, maxLength: 255 },
          target_url: { ...address, maxLength: 255 },
          coverage: { type: 'number' },
          pipeline_id: whole,
        },
        ['state'],
      ),
      status: record({
        id: whole,
        sha,
        ref: text,
        status: { enum: ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] },
        name: text,
        target_url: { ...address, nullable: true },
        description: maybeText,
        created_at: moment,
        started_at: { ...moment, nullable: true },
        finished_at: { ...moment, nullable: true },
        allow_failure: flag,
        author: record({ id: whole, username: text, name: text, state: text, web_url: address }),
      }),
      new_hook: exactly({ ...hookFields, token: text }, ['url']),
      // The token is never told.
      hook: {
        ...record({ id: whole, project_id: whole, created_at: moment, ...hookFields, tag_push_events: flag }),
        not: { required: ['token'] },
      },
      push_event: record({
        object_kind: { const: 'push' },
        event_name: { const: 'push' },
        before: sha,
        after: sha,
        ref: { type: 'string', pattern: '^refs/heads/' },
        ref_protected: flag,
        checkout_sha: { ...sha, nullable: true },
        user_id: whole,
        user_name: text,
        user_username: text,
        user_email: maybeText,
        project_id: whole,
        project: record({
          id: whole,
          name: text,
          web_url: address,
          git_http_url: address,
          namespace: text,
          visibility_level: { enum: [0, 10, 20] },
          path_with_namespace: text,
          default_branch: text,
        }),
        commits: {
          type: 'array',
          maxItems: 20,
          items: record({
            id: sha,
            message: text,
            title: text,
            timestamp: moment,
            url: address,
            author: record({ name: text, email: text }),
          }),
        },
        total_commits_count: whole,
      }),
    },
  },
};
