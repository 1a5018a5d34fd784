import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { start } from '../../lib/exec.ts';
import { findProgram } from '../../lib/find-program.ts';

/** The machine's own programs for its network, run where the platform stands. */
export interface HostTools {
  /** The answer of one that ended well; throws `NetworkFailure` otherwise. `input` is what it reads. */
  run(argv: readonly [string, ...string[]], input?: string): Promise<string>;
  /** Many commands of `ip` in one go, inside a namespace or here; ends at the first that fails. */
  ipBatch(lines: readonly string[], namespace?: string): Promise<void>;
  /** What `ip -j` answers. */
  ipList<T>(words: readonly string[]): Promise<T[]>;
  /** The same tools, inside a named network namespace. */
  within(namespace: string): HostTools;
}

/** One of them would not do as it was told. */
export class NetworkFailure extends Error {}

export const isInstalled = (program: string): boolean => findProgram([program], PROGRAM_PATH) !== null;

/** Why the machine's network cannot be changed from here. */
export const NOT_ROOT = 'The platform is not root.';

export const NAMESPACES = '/run/netns';

export function enterNamespace(namespace: string): string[] {
  return ['nsenter', `--net=${NAMESPACES}/${namespace}`, '--'];
}

/** `enter` is put before every argv. */
export function createHostTools(enter: readonly string[] = []): HostTools {
  const tools: HostTools = {
    async run(argv, input) {
      const { exitCode, stdout, stderr } = await runToEnd([...enter, ...argv], input ?? '');
      if (exitCode === 0) return stdout;
      throw new NetworkFailure(`${argv.join(' ')}: ${stderr.trim() || `ended with ${exitCode}`}`);
    },
    async ipBatch(lines, namespace) {
      const argv = ['ip', ...(namespace ? ['-n', namespace] : []), '-batch', '-'];
      const { exitCode, stderr } = await runToEnd([...enter, ...argv], lines.map((line) => `${line}\n`).join(''));
      if (exitCode !== 0) throw new NetworkFailure(explainBatch(lines, stderr));
    },
    async ipList<T>(words: readonly string[]) {
      const answer = await tools.run(['ip', '-j', ...words]);
      // Where there is nothing, some versions print nothing, and some a list of empty objects.
      const list = JSON.parse(answer.trim() || '[]') as T[];
      return list.filter((entry) => Object.keys(entry as object).length > 0);
    },
    within: (namespace) => createHostTools([...enter, ...enterNamespace(namespace)]),
  };
  return tools;
}

/** `Command failed -:3` names the line; a person needs its text. */
export function explainBatch(lines: readonly string[], stderr: string): string {
  const number = /Command failed -:(\d+)/.exec(stderr)?.[1];
  const reason = stderr.replace(/Command failed -:\d+/g, '').trim();
  return `ip ${number ? lines[Number(number) - 1] : lines.join('; ')}: ${reason || 'failed'}`;
}

interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 30_000;

function runToEnd(argv: readonly string[], input: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = start(argv as [string, ...string[]], { env: { PATH: PROGRAM_PATH, LC_ALL: 'C' }, stdio: 'pipe' });
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new NetworkFailure(`${argv[0]} cannot be started: ${error.message}`));
    });
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr });
    });
    // One that fails early reads no further; its exit code tells.
    child.stdin?.on('error', () => undefined).end(input);
  });
}
