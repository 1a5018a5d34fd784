import { join } from 'node:path';
import { inner } from './inner-paths.ts';
import type { Plan } from './plan.ts';
import { runStep, type StepContext } from './run-step.ts';
import { VIRTUAL_ENVIRONMENT } from './toolchain/language-environment.ts';
import type { Toolchain } from './toolchain/prepare-toolchain.ts';

export interface VirtualEnvironmentOptions {
  plan: Pick<Plan, 'rootDirectory'>;
  toolchain: Pick<Toolchain, 'tools'>;
  env: Readonly<Record<string, string>>;
}

/** Where a project of Python has its packages, also one without any: there `python` is what it was built for. */
export async function makeVirtualEnvironment(context: StepContext, options: VirtualEnvironmentOptions): Promise<void> {
  const { plan, toolchain, env } = options;
  if (!toolchain.tools.some(({ name }) => name === 'python')) return;
  await runStep(context, {
    name: 'install',
    // Without pip, which takes seconds to install and which no instance needs.
    argv: [env.LILAC_PYTHON ?? 'python3', '-m', 'venv', '--without-pip', VIRTUAL_ENVIRONMENT],
    command: `python -m venv ${VIRTUAL_ENVIRONMENT}`,
    cwd: join(inner.source, plan.rootDirectory),
    env,
  });
}
