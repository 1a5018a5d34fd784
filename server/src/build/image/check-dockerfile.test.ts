import { describe, expect, it } from 'vitest';
import { buildArguments } from './build-arguments.ts';
import { checkDockerfile } from './check-dockerfile.ts';
import { parseReference } from './image-reference.ts';
import { parseDockerfile } from './parse-dockerfile.ts';

const labels = { 'lilac.built-by': 'a1', 'lilac.built-for': 'env_1' };
const LABEL = 'LABEL lilac.built-by=a1 lilac.built-for=env_1';

/** What the engine would be given. */
const written = (text: string, given: Record<string, string> = {}): string[] =>
  checkDockerfile(text, given)
    .write((name) => `sha256:${name}`, labels)
    .map((step) => step.text);

const basesOf = (text: string, given: Record<string, string> = {}): string[] =>
  checkDockerfile(text, given).bases.map(({ name }) => name);

describe('a Dockerfile on its way to the engine', () => {
  it('has one instruction a line, and every image by its own id', () => {
    const text = [
      '# syntax=docker/dockerfile:1',
      'ARG VERSION=22',
      'from --platform=$BUILDPLATFORM node:${VERSION}-slim as Build',
      'RUN npm ci && \\',
      '  # why',
      '',
      '  npm run build',
      'FROM scratch',
      'COPY --from=build --chown=1:1 /a /b',
      'COPY --from=0 /a /c',
      'COPY --from=nginx:1 /etc /etc',
      'FROM BUILD',
      'ADD . /b',
      'LABEL "a.b"="x y" c=$D',
      'VOLUME /data /more',
      'CMD [ "/a", "ü" ]\r',
    ].join('\n');
    expect(written(text)).toEqual([
      'ARG VERSION=22',
      'FROM sha256:node:22-slim AS stage-0',
      LABEL,
      'RUN npm ci &&   npm run build',
      'FROM scratch AS stage-1',
      LABEL,
      'COPY --from=0 --chown=1:1 ["/a","/b"]',
      'COPY --from=0 ["/a","/c"]',
      'COPY --from=sha256:nginx:1 ["/etc","/etc"]',
      'FROM stage-0 AS stage-2',
      LABEL,
      'COPY [".","/b"]',
      'LABEL a.b="x y" c=$D',
      'VOLUME ["/data","/more"]',
      'CMD ["/a","\\u00fc"]',
    ]);
    expect(basesOf(text, { VERSION: '24', OTHER: 'x' })).toEqual(['node:24-slim', 'nginx:1']);
  });

  it.each([
    ['an address', 'ADD http://169.254.169.254/latest /x'],
    ['one in capitals', 'ADD HTTPS://10.0.0.1/ /x'],
    ['one in a list', 'ADD ["a", "http://10.0.0.1/", "/x"]'],
    ['one behind a continuation', 'ADD \\\n  http://10.0.0.1/ /x'],
    ['one that a variable holds', 'ARG U=http://10.0.0.1/\nADD $U /x'],
    ['one that a variable ends', 'ARG U\nADD http:/$U /x'],
    ['one that a variable begins', 'ARG U\nADD h${U}://10.0.0.1/ /x'],
    ['one that is quoted', 'ADD "ht"tp://10.0.0.1/ /x'],
    ['one with a backslash', 'ADD ht\\tp://10.0.0.1/ /x'],
    ['a repository', 'ADD git@10.0.0.1:x/y.git /x'],
    ['one by an option', 'ADD --checksum=sha256:aa http://10.0.0.1/ /x'],
    ['one for whoever builds on it', 'ONBUILD ADD http://10.0.0.1/ /x'],
  ])('never has the engine fetch %s', (_, line) => {
    expect(() => written(`FROM scratch\n${line}`)).toThrow(/^Line \d+ of the Dockerfile: /);
  });

  it('copies what ADD takes: the engine would unpack it, and nothing could bound that', () => {
    const text = 'FROM scratch\nADD app.jar /\nADD ["a b", "c/"]';
    expect(written(text).slice(2)).toEqual(['COPY ["app.jar","/"]', 'COPY ["a b","c/"]']);
    expect(checkDockerfile(text, {}).added).toEqual([
      { name: 'app.jar', line: 2 },
      { name: 'a b', line: 3 },
    ]);
  });

  it.each([
    'RUN --mount=type=bind,from=x,target=/x true',
    'RUN --mount=type=secret,id=x cat /run/secrets/x',
    'RUN --network=host true',
    'RUN --security=insecure true',
    'COPY --link a b',
    'COPY --from=$STAGE a b',
    'COPY --from=7 a b',
    'FROM --platform=linux/s390x node',
    'FROM $(id)',
    'FROM a b',
    'INCLUDE other',
    'RUN true \\',
    'COPY <<EOF /x\nhello\nEOF',
    'RUN <<-"X Y"\nhello',
    'RUN 3<<X cat',
    'RUN cat ${X:-<<EOF}',
    String.raw`COPY --fr\om=other a b`,
    'COPY --from="other" a b',
    'COPY --"from"=other a b',
    "COPY --fro''m=other a b",
    'COPY --from=ä a b',
    'COPY -- --from=other b',
    'COPY --chown=1 --chown=2 a b',
    'COPY\u00A0--from=other a b',
    'COPY \u2003--from=other a b',
    'COPY a',
    'ADD $NAME /x',
    'ADD *.jar /x',
    'LABEL lilac.built-for=env_2',
    'LABEL a=b "Lilac.built-for"=env_2',
    'LABEL lilac.image x',
    'LABEL $NAME=x',
    String.raw`LABEL lil\ac.image=x`,
    'LABEL li"lac.image"=x',
    'RUN echo \u0000',
    'RUN echo a\rb',
  ])('%s is refused with its line', (line) => {
    expect(() => written(`FROM scratch\n${line}`)).toThrow(/^Line 2 of the Dockerfile: /);
  });

  it('must be built on something, and may not change what a backslash means', () => {
    expect(() => written('RUN true')).toThrow(/no FROM/);
    expect(() => written('# escape=`\nFROM scratch')).toThrow(/Line 1 .*escape/);
    expect(() => written('RUN true\nFROM scratch')).toThrow(/before the first FROM/);
  });

  it('takes a name for a stage only where that came before: any other is an image, which is fetched', () => {
    expect(basesOf('FROM scratch AS own\nCOPY --from=own / /')).toEqual(['own']);
    expect(basesOf('FROM later\nFROM scratch AS later')).toEqual(['later']);
    expect(() => written('FROM scratch AS a\nFROM scratch AS A')).toThrow(/Line 2 .*already/);
    expect(() => written('FROM scratch\nCOPY --from=0 / /')).toThrow(/no stage/);
  });

  it('leaves to the shell what is the shell’s', () => {
    const lines = ['RUN [ -f x ] && echo $((1 << 2)) "ä" <<<word', 'ENV A=b\\ c D="e f"', 'LABEL old all that follows'];
    expect(written(['FROM scratch', ...lines].join('\n')).slice(2)).toEqual(lines);
  });

  it('is read in a moment, whatever stands in it', () => {
    const long = `FROM scratch\nRUN ${'a \\\n'.repeat(30_000)} b\nLABEL ${'a="'.repeat(1000)}`;
    expect(() => written(long)).toThrow(/^Line 30003 /);
  });
});

describe('what a build is given of the variables', () => {
  it('are those that it names, and the proxies of the machine', () => {
    const instructions = parseDockerfile('ARG A\nFROM scratch\nARG B="x y" C=1\n');
    const variables = { A: '1', B: '2', SECRET: '3' };
    const hostVariables = { HTTPS_PROXY: 'http://proxy', NPM_TOKEN: 'x' };
    expect(buildArguments(instructions, { variables, hostVariables })).toEqual({
      A: '1',
      B: '2',
      HTTPS_PROXY: 'http://proxy',
    });
  });
});

describe('the name of an image', () => {
  it.each([
    ['node', 'docker.io/library/node:latest'],
    ['node:22-slim', 'docker.io/library/node:22-slim'],
    ['index.docker.io/grafana/loki:3', 'docker.io/grafana/loki:3'],
    ['ghcr.io/a/b', 'ghcr.io/a/b:latest'],
    ['localhost/a', 'localhost/a:latest'],
    ['127.0.0.1:5000/a:1', '127.0.0.1:5000/a:1'],
    [`a@sha256:${'0'.repeat(64)}`, `docker.io/library/a@sha256:${'0'.repeat(64)}`],
    ['lilac.invalid/0123/x:art_1', 'lilac.invalid/0123/x:art_1'],
  ])('%s is %s', (text, whole) => expect(parseReference(text)?.whole).toBe(whole));

  it.each(['', 'A', 'a:b:c', 'a b', 'sha256:zz/..', '../a', 'a@sha256:1', 'http://a/b', '-a', 'a?b'])(
    '%j is none',
    (text) => expect(parseReference(text)).toBeNull(),
  );

  it('is never an id of what merely lies in the engine', () => {
    const { registry, whole } = parseReference(`sha256:${'a'.repeat(64)}`)!;
    expect([registry, whole]).toEqual(['docker.io', `docker.io/library/sha256:${'a'.repeat(64)}`]);
  });

  it('cannot fill all memory with values in values, or options without end', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `ARG A${at + 1}=${`$A${at}`.repeat(10)}`);
    expect(() => written(['ARG A0=0123456789', ...lines, 'FROM node:$A30'].join('\n'))).toThrow(
      /Its value is too long/,
    );
    const options = Array.from({ length: 21 }, (_, at) => `--${'a'.repeat(at + 1)}`);
    expect(() => parseDockerfile(`RUN ${options.join(' ')} a`)).toThrow(/more than 20 options/);
  });
});
