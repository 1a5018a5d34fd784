import type { Family } from '../finding.ts';
import { linesOf } from '../parse/lines.ts';
import { withoutComments } from '../parse/without-comments.ts';
import type { ProjectFiles } from '../project-files.ts';
import { readWebProcess } from '../procfile.ts';

const GRADLE = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradlew'];
const MAVEN = ['pom.xml', 'pom.atom', 'pom.clj', 'pom.groovy', 'pom.rb', 'pom.scala', 'pom.yaml', 'mvnw'];
const MAX_INCLUDED = 6;
const FRAMEWORKS: readonly [string, RegExp][] = [
  ['spring-boot', /spring-boot|org\.springframework\.boot|plugins\.spring\.?boot/i],
  ['quarkus', /io\.quarkus|plugins\.quarkus/],
  ['micronaut', /io\.micronaut|plugins\.micronaut/],
  ['ktor', /io\.ktor|plugins\.ktor/],
];

/** Frameworks that are told their port as a property. */
const PORTS: Readonly<Record<string, string>> = {
  'spring-boot': ' -Dserver.port=$PORT',
  quarkus: ' -Dquarkus.http.host=0.0.0.0 -Dquarkus.http.port=$PORT',
  micronaut: ' -Dmicronaut.server.port=$PORT',
};

export const java: Family = {
  name: 'Java',
  frameworks: ['java', ...FRAMEWORKS.map(([slug]) => slug)],
  async detect({ files }) {
    const isMaven = MAVEN.some((name) => files.fileNames.has(name));
    if (!isMaven && !GRADLE.some((name) => files.fileNames.has(name))) return null;
    const description = await readBuildFiles(files);
    const framework = FRAMEWORKS.find(([, pattern]) => pattern.test(description))?.[0] ?? null;
    const port = PORTS[framework ?? ''] ?? '';
    return {
      framework,
      language: 'java',
      deploymentType: 'container',
      runtime: 'java',
      buildCommand: isMaven ? mavenBuild(files) : gradleBuild(files),
      startCommand: (await readWebProcess(files)) ?? `java${port} -jar ${await findJar(files, isMaven, framework)}`,
      cacheFolders: isMaven ? [] : ['.gradle'],
    };
  },
};

/** Without comments, and of the sub-projects that are named too. */
async function readBuildFiles(files: ProjectFiles): Promise<string> {
  const settings = (await files.read('settings.gradle.kts')) ?? (await files.read('settings.gradle')) ?? '';
  const lines = linesOf(settings).map((line) => line.match(/^\s*include\b(.*)$/)?.[1] ?? '');
  const included = lines.flatMap((line) => line.match(/[\w-]+/g) ?? []);
  const folders = ['', 'app/', ...included.slice(0, MAX_INCLUDED).map((name) => `${name}/`)];
  const gradle = folders.flatMap((folder) => [`${folder}build.gradle`, `${folder}build.gradle.kts`]);
  const paths = ['pom.xml', ...new Set(gradle)];
  const texts = await Promise.all(paths.map((path) => files.read(path)));
  return withoutComments(texts.join('\n'), ['<!--', '/*', ' //']);
}

function mavenBuild({ fileNames }: ProjectFiles): string {
  return `${fileNames.has('mvnw') ? './mvnw' : 'mvn'} -B -DskipTests package`;
}

function gradleBuild({ fileNames }: ProjectFiles): string {
  return `${fileNames.has('gradlew') ? './gradlew' : 'gradle'} build -x check -x test`;
}

async function findJar(files: ProjectFiles, isMaven: boolean, framework: string | null): Promise<string> {
  if (isMaven && framework === 'quarkus') return 'target/quarkus-app/quarkus-run.jar';
  if (isMaven && framework === 'spring-boot') return 'target/*.jar';
  if (isMaven) return `$(ls -1 target/*.jar | grep -Ev 'original-|-(sources|javadoc|tests)\\.jar$' | head -n 1)`;
  if (framework === 'quarkus') return 'build/quarkus-app/quarkus-run.jar';
  const folder = (await files.has('app/build.gradle')) || (await files.has('app/build.gradle.kts')) ? 'app/' : '';
  return `$(ls -1 ${folder}build/libs/*.jar | grep -v plain)`;
}
