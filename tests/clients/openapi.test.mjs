// The OpenAPI document, as linters judge it, and as generators make clients of it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { startService } from './service.mjs';

const HERE = import.meta.dirname;
const GENERATED = join(HERE, 'generated');
const DOCUMENT = join(GENERATED, 'openapi.json');
const PYTHON_GENERATOR = join(HERE, 'generator', 'bin');

let service;
let base;

before(async () => {
  service = await startService();
  base = `${service.site}/wp-json/tribe/events/v1`;
  await mkdir(GENERATED, { recursive: true });
  await writeFile(DOCUMENT, await (await fetch(`${base}/doc`)).text());
});

after(() => service.end());

// Answers what a program writes; rejects where it fails.
async function run(command, ...parameters) {
  const options = { cwd: HERE, maxBuffer: 2 ** 26 };
  try {
    return (await promisify(execFile)(command, parameters, options)).stdout;
  } catch (error) {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  }
}

const installed = (name) => join(HERE, 'node_modules', '.bin', name);

test('redocly finds nothing', async () => {
  const report = await run(
    installed('redocly'), 'lint', DOCUMENT, '--config', 'redocly.yaml', '--format', 'json',
  );
  assert.deepEqual(JSON.parse(report.slice(report.indexOf('{'))).problems, []);
});

test('spectral finds nothing', async () => {
  const severity = ['--fail-severity', 'hint'];
  await run(installed('spectral'), 'lint', DOCUMENT, '--ruleset', 'spectral.yaml', ...severity);
});

test('a client in TypeScript writes and reads', async () => {
  await run(installed('openapi-typescript'), DOCUMENT, '--output', join(GENERATED, 'schema.d.ts'));
  await run(
    installed('tsc'), '--noEmit', '--strict', '--allowJs', '--checkJs', '--target', 'es2022',
    '--module', 'nodenext', '--types', 'node', 'generated_client.mjs',
  );
  const { writeAndRead } = await import('./generated_client.mjs');
  await writeAndRead(base, service.password);
});

test('a client in Python writes and reads', async () => {
  await run(
    join(PYTHON_GENERATOR, 'openapi-python-client'), 'generate', '--path', DOCUMENT,
    '--output-path', join(GENERATED, 'calendar_client'), '--overwrite', '--meta', 'none',
  );
  await run(
    'env', `PYTHONPATH=${GENERATED}`, join(PYTHON_GENERATOR, 'python'), 'generated_client.py',
    base, service.password,
  );
});
