import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathsOf } from '../config.ts';
import { BuildFailed } from './builder.ts';
import { noSettings, openBuilderBench, type BuilderBench } from './testing/builder-bench.ts';
import { runServer } from './testing/run-server.ts';
import { findHostTool, type HostToolName } from './toolchain/host-tools.ts';

/** Servers that are really built, and run as an instance would be: each must answer over HTTP. */
const BUILD_MS = 300_000;
let bench: BuilderBench;
beforeAll(async () => void (bench = await openBuilderBench()));
afterAll(() => bench[Symbol.asyncDispose]());

const example = (name: string) => join(import.meta.dirname, '../../../examples', name);

async function answerOf(project: string, settings = {}): Promise<string> {
  const { artifact } = await bench.build(project, { settings: { ...noSettings, ...settings } });
  await using server = await runServer(bench, artifact);
  return await (await server.get()).text();
}

/** Where the machine has no such tool, it is what a person is told instead. */
async function answerWith(tool: HostToolName, project: string): Promise<string> {
  if (await findHostTool(tool, process.env.PATH)) return answerOf(project);
  const failed: unknown = await bench.build(project).catch((error: unknown) => error);
  return failed instanceof BuildFailed && failed.message.includes('is not installed on this machine')
    ? MISSING
    : 'built';
}

const MISSING = 'is not installed';
const isAnswer = (answer: string) => expect.stringMatching(new RegExp(`^(${answer}|${MISSING})$`)) as string;

describe('servers of JavaScript', { timeout: BUILD_MS }, () => {
  it('Express with npm', async () => {
    expect(await answerOf(example('express'))).toBe('Hello from Express');
  });

  it('Hono in TypeScript with pnpm', async () => {
    expect(await answerOf(example('hono'))).toBe('Hello from Hono');
  });

  it('a package manager that is needed to run it is there, and comes back when it was evicted', async () => {
    const project = bench.projectOf({
      'package.json': JSON.stringify({
        packageManager: 'yarn@1.22.22',
        scripts: { prestart: 'echo before', start: 'node server.js' },
        dependencies: { ms: '2.1.3' },
      }),
      'server.js': `require('http').createServer((q, a) => a.end(require('ms')(60000))).listen(process.env.PORT)`,
    });
    const { artifact } = await bench.build(project);
    expect(artifact.run?.tools).toEqual({ node: process.versions.node, yarn: '1.22.22' });
    rmSync(pathsOf(bench.config).toolchains, { recursive: true });
    await using server = await runServer(bench, artifact);
    expect(await (await server.get()).text()).toBe('1m');
  });

  it('an application that only exports itself', async () => {
    const { artifact } = await bench.build(example('exported-app'));
    await using server = await runServer(bench, artifact);
    expect(await (await server.get()).text()).toBe('Hello from an export');
    const said = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: 'ünï 🌸' });
    expect(await said.text()).toBe('You said: ünï 🌸');
  });

  it('one that listens where it likes', async () => {
    const { artifact } = await bench.build(example('fixed-port'));
    await using server = await runServer(bench, artifact);
    expect(await (await server.get('/', 4321)).text()).toBe('Hello from a port of its own');
  });

  it('on Bun', async () => {
    expect(await answerOf(example('hono-bun'))).toBe('Hello from Hono on Bun');
  });

  it('on Deno', async () => {
    expect(await answerOf(example('deno'))).toBe('Hello from Deno');
  });
});

describe('servers of other languages', { timeout: BUILD_MS }, () => {
  it('Python: Flask by pip, served by gunicorn', async () => {
    expect(await answerWith('python', example('flask'))).toEqual(isAnswer('Hello from Flask'));
  });

  it('Python: FastAPI by uv, served by uvicorn, on the Python it asks for', async () => {
    const project = bench.projectOf({
      'main.py': 'from fastapi import FastAPI\napp = FastAPI()\n\n@app.get("/")\ndef index():\n    return "hello"\n',
      'pyproject.toml': '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["fastapi"]\n',
    });
    expect(await answerWith('python', project)).toEqual(isAnswer('"hello"'));
  });

  it('Go', async () => {
    const project = bench.projectOf({ 'go.mod': 'module example.test/tiny\n\ngo 1.19\n', 'main.go': TINY_GO });
    expect(await answerWith('go', project)).toEqual(isAnswer('Hello from Go'));
  });

  it('Rust', async () => {
    expect(await answerWith('rust', example('rust'))).toEqual(isAnswer('Hello from Rust'));
  });

  it('Java by Maven', async () => {
    expect(await answerWith('maven', example('java-maven'))).toEqual(isAnswer('Hello from Java'));
  });

  it('a Procfile, and a program that is there already', async () => {
    expect(await answerOf(example('procfile'))).toBe('Hello from a Procfile');
    expect(await answerOf(example('executable'), { startCommand: './server' })).toBe('Hello from a program');
  });
});

/** Without net/http, which takes a minute to compile. */
const TINY_GO = `package main

import (
	"net"
	"os"
)

func main() {
	listener, err := net.Listen("tcp", ":"+os.Getenv("PORT"))
	if err != nil {
		panic(err)
	}
	for {
		if connection, err := listener.Accept(); err == nil {
			connection.Read(make([]byte, 4096))
			connection.Write([]byte("HTTP/1.1 200 OK\\r\\nContent-Length: 13\\r\\nConnection: close\\r\\n\\r\\nHello from Go"))
			connection.Close()
		}
	}
}
`;
