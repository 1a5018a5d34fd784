import type { Finding } from '../finding.ts';
import type { Delivery, JsFramework, StaticDelivery } from '../frameworks/js-framework.ts';
import { readWebProcess } from '../procfile.ts';
import { buildWithSiblings } from './build-siblings.ts';
import { commonFinding } from './common-finding.ts';
import type { JsProject } from './js-project.ts';
import { nodeMajorFor } from './node-version.ts';
import { runProgram, runScript } from './package-manager.ts';
import { isDevelopmentServer } from './start-script.ts';

export async function describeFramework(framework: JsFramework, project: JsProject): Promise<Finding> {
  const delivery = await framework.describe(project);
  const common = commonFinding(project);
  const shared = {
    ...common,
    framework: framework.slug,
    cacheFolders: [...(delivery.cacheFolders ?? [])],
    notes: [...(common.notes ?? []), ...(delivery.notes ?? [])],
  };
  const variables = { ...common.buildVariables, ...delivery.buildVariables };
  const startCommand = await chooseStart(delivery, project);
  const files = delivery.static && (await describeFiles(framework, delivery.static, project));
  if (delivery.deploymentType === 'static' && files) {
    const buildVariables = { ...variables, ...delivery.static?.buildVariables };
    const asServer = startCommand === null ? undefined : { startCommand };
    return { ...shared, ...files, deploymentType: 'static', buildVariables, asServer };
  }
  return {
    ...shared,
    deploymentType: 'container',
    runtime: `node${nodeMajorFor(project.node.version)}`,
    buildCommand: await chooseBuild(framework, project, {}),
    startCommand,
    buildVariables: { ...variables, ...delivery.server?.buildVariables },
    asStatic: files && {
      ...files,
      buildVariables: { ...variables, ...delivery.static?.buildVariables },
      notes: delivery.static?.hint ? [delivery.static.hint] : [],
    },
    staticRefusal: delivery.staticRefusal,
  };
}

async function describeFiles(framework: JsFramework, delivery: StaticDelivery, project: JsProject) {
  return {
    outputDirectory: delivery.outputDirectory,
    isSinglePage: delivery.isSinglePage ?? false,
    buildCommand: await chooseBuild(framework, project, delivery),
  };
}

/** A script of the project's own wins over the framework's program. */
async function chooseBuild(
  framework: JsFramework,
  project: JsProject,
  { scripts = ['build'], buildProgram = framework.buildProgram }: Pick<StaticDelivery, 'scripts' | 'buildProgram'>,
): Promise<string | null> {
  const script = scripts.find((name) => project.manifest.scripts[name]);
  if (script) return (await buildWithSiblings(project, script)) ?? runScript(project.manager, script);
  if (!buildProgram) return null;
  return buildProgram.startsWith('node ') ? buildProgram : runProgram(project.manager, buildProgram);
}

async function chooseStart(delivery: Delivery, project: JsProject): Promise<string | null> {
  const process = await readWebProcess(project.files);
  if (process) return process;
  const { scripts } = project.manifest;
  const named = delivery.server?.scripts?.find((name) => scripts[name]);
  if (named) return runScript(project.manager, named);
  if (scripts['start'] && !isDevelopmentServer(scripts['start'], scripts)) return runScript(project.manager, 'start');
  const program = delivery.server?.program;
  if (!program) return null;
  return program.startsWith('node ') ? program : runProgram(project.manager, program);
}
