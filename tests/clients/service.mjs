// Starts the service in the place of a WordPress site, with the demo calendar.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, '.venv', 'bin', 'python');
const COMMAND = [
  '-m', 'calendar_app', '--config', 'config/de-rm.toml',
  'serve', '--demo', '--workers', '1', '--bind', '127.0.0.1:0',
];
const IN_PLACE_OF_WORDPRESS = {
  CALENDAR_API_PREFIX: '/wp-json',
  CALENDAR_NAMESPACE: 'tribe/events/v1',
  CALENDAR_TRANSLATION_PARAMETER: 'wpml_language',
};

// Answers { site, password, end }: the address of the site without a slash at its end, the
// password of the user "admin", and what stops the service and removes its data.
export async function startService() {
  const directory = await mkdtemp(join(tmpdir(), 'calendar-client-'));
  const service = spawn(PYTHON, COMMAND, {
    cwd: ROOT,
    env: { ...process.env, ...IN_PLACE_OF_WORDPRESS, CALENDAR_DATA: join(directory, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(service, 'exit');
  const end = async () => {
    service.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  try {
    return { ...(await greeting(service)), end };
  } catch (error) {
    await end();
    throw error;
  }
}

// Reads what the service tells when it is ready. What it logs later is read and dropped, so
// that it never waits for a reader.
async function greeting(service) {
  const complaints = [];
  service.stderr.on('data', (data) => complaints.push(data));
  let site;
  let password;
  for await (const line of createInterface({ input: service.stdout })) {
    site ??= line.match(/Events: +(http:\/\/[^/]+)/)?.[1];
    password ??= line.match(/shown only once.*: (.+)$/)?.[1];
    if (line.startsWith('  curl -u')) {
      service.stdout.resume();
      return { site, password };
    }
  }
  throw new Error(`The service did not start. ${Buffer.concat(complaints)}`);
}
