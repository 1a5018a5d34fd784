import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { run, type Finished } from '../server/src/lib/exec.ts';
import type { Platform } from './platform.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const lilacMcp = [process.execPath, join(root, 'cli', 'bin', 'lilac.mjs'), 'mcp'];

export type Way = 'http' | 'stdio';

/** What the outside of an assistant knows of a platform. */
export interface Place {
  platform: Platform;
  token: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test looks into whatever came
export type Structured = any;

export interface ToolAnswer {
  isError: boolean;
  text: string;
  answer: Structured;
}

/** A busy machine takes its time to start a program: longer than the inspector would wait. */
const PATIENCE_MS = 120_000;

/** The published inspector, one process for each question, as a person in a terminal uses it. */
export async function inspect({ platform, token }: Place, way: Way, ...argv: string[]): Promise<Finished> {
  const target =
    way === 'http'
      ? [`${platform.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
      : ['-e', `LILAC_TOKEN=${token}`, '-e', `LILAC_API_URL=${platform.url}`, ...lilacMcp];
  const called = [bin('mcp-inspector'), '--cli', '--connect-timeout', String(PATIENCE_MS), ...target, ...argv];
  return await run(called as [string, ...string[]], {
    cwd: root,
    env: plainEnvironment(),
    timeoutMs: PATIENCE_MS,
  });
}

export async function inspectTool(
  place: Place,
  way: Way,
  { name, input }: { name: string; input: Record<string, unknown> },
): Promise<ToolAnswer> {
  const pairs = Object.entries(input).flatMap(([key, value]) => [
    '--tool-arg',
    `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  // Over HTTP an older client cannot be known to have nobody to ask, and may delete nothing.
  const era = way === 'http' ? ['--protocol-era', 'modern'] : [];
  const asked = ['--method', 'tools/call', '--tool-name', name, ...pairs];
  const { stdout, stderr } = await inspect(place, way, ...era, ...asked);
  try {
    const { isError = false, content, structuredContent } = JSON.parse(stdout);
    return { isError, text: content[0].text, answer: structuredContent };
  } catch (error) {
    throw new Error(`${name} by ${way}: ${stdout}\n${stderr}`, { cause: error });
  }
}

/** The SDK's client, as an assistant has it. */
export async function connect(place: Place, way: Way, ...flags: string[]): Promise<Client> {
  if (way === 'stdio') return (await connectOverStdio(place, ...flags)).client;
  const client = newClient();
  const requestInit = { headers: { authorization: `Bearer ${place.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${place.platform.url}/mcp`), { requestInit }));
  return client;
}

/** With what it has written for people. */
export async function connectOverStdio({ platform, token }: Place, ...flags: string[]) {
  const client = newClient();
  const [command, ...args] = lilacMcp;
  const env = { ...plainEnvironment(), LILAC_TOKEN: token, LILAC_API_URL: platform.url };
  const transport = new StdioClientTransport({ command: command!, args: [...args, ...flags], env, stderr: 'pipe' });
  let written = '';
  transport.stderr?.on('data', (chunk) => (written += String(chunk)));
  await client.connect(transport);
  return { client, complaints: () => written };
}

const newClient = () => new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: 'auto' } });

export async function runLilacMcp(environment: Record<string, string>, ...flags: string[]): Promise<Finished> {
  const env = { ...plainEnvironment(), ...environment };
  return await run([...lilacMcp, ...flags] as [string, ...string[]], { cwd: root, env, timeoutMs: 60_000 });
}

/** The conformance suite sends no credential of its own: it goes through here, with whatever host it names. */
export async function runConformance({ platform, token }: Place): Promise<Finished> {
  const proxy = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming;
    const passed = {
      port: platform.port,
      path: url,
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
    };
    const asked = request(passed, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const expected = join(import.meta.dirname, 'mcp-conformance.yml');
  const flags = ['--url', `http://localhost:${port}/mcp`, '--suite', 'all', '--expected-failures', expected];
  try {
    return await run([bin('conformance'), 'server', ...flags], { cwd: platform.home, env: plainEnvironment() });
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

function plainEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('LILAC_') && name !== 'NODE_OPTIONS');
  return Object.fromEntries(entries) as Record<string, string>;
}
