import { formatDuration } from '@lilac/contract/format-duration';
import type { Deployment, DeploymentProgress, Lilac } from '@lilac/sdk';
import type { LiveLine } from '../terminal/live-line.ts';
import { logLine } from '../terminal/printable.ts';

export interface Followed {
  deploymentId: string;
  organisationId: string | undefined;
  /** Left out: as the SDK has it. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Of a rollback the build log is old. */
  hidesLog?: boolean;
}

/** Tells stages and the build log as they come, until the deployment has ended in one way or the other. */
export async function followDeployment(
  lilac: Pick<Lilac, 'waitForDeployment'>,
  line: LiveLine,
  followed: Followed,
): Promise<Deployment> {
  const { deploymentId, organisationId, timeoutMs, signal, hidesLog = false } = followed;
  try {
    return await lilac.waitForDeployment(deploymentId, {
      targetOrganisationId: organisationId,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(hidesLog && { fromLine: -1 }),
      signal,
      onStatus: (progress) => showStage(line, progress),
      onLog: (text) => hidesLog || showLine(line, text),
    });
  } finally {
    line.end();
  }
}

function showStage(line: LiveLine, { deployment_stage: stage }: DeploymentProgress): void {
  // By the clock here: the platform's may differ.
  const startedMs = Date.now();
  const name = stage.slice(0, 1).toUpperCase() + stage.slice(1);
  line.show(() => `${name} ${line.paint('dim', formatDuration(Date.now() - startedMs))}`);
}

/** What the platform itself says in a build log: which stage begins, how long it took. */
const MARK = '==> ';
const LIVE = /^Live at \S+$/;
const IS_OVER = /\bin \d+(?:\.\d+)? s$/;

/** Stages stand out; what the project's own tools print stands behind them. Elsewhere it is as the log has it. */
function showLine(line: LiveLine, text: string): void {
  const safe = logLine(text, line.hasColours);
  if (!line.isLive) return line.print(safe);
  if (!safe.startsWith(MARK)) return line.print(`  ${line.paint('dim', safe)}`);
  const said = safe.slice(MARK.length);
  // Said once more at the end, and after that nothing is.
  if (LIVE.test(said)) return;
  line.print(`${line.mark(IS_OVER.test(said) ? 'good' : 'next')} ${said}`);
}
